// Dead links: every relative link and heading anchor in Markdown must lead somewhere.
export default { plugins: [['remark-validate-links', { repository: false }]] };
