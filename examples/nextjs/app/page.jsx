export default function Page() {
  return <p>PUT /trips/1, then POST /trips/1/accept.</p>;
}
