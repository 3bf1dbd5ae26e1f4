import './style/base.css';
import './style/shell.css';
import './style/parts.css';
import './style/charts.css';
import { render } from 'preact';
import { problemsOfParts } from './session/gateway-client.js';
import { watchGateway } from './session/gateway-state.js';
import { Shell } from './shell/shell.js';

const place = document.querySelector('#app');
if (place === null) throw new Error('The page has no place for the console.');
watchGateway(problemsOfParts);
render(<Shell />, place);
