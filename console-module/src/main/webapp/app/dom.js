/**
 * Element builders. Strings always become text nodes, so no external value is ever parsed as HTML.
 * Every page uses only these functions to change the document.
 */

const PROPERTIES = new Set(['checked', 'disabled', 'hidden', 'indeterminate', 'value', 'open']);
const SVG = 'http://www.w3.org/2000/svg';

/**
 * Creates an HTML element.
 *
 * @param selector such as `button.pf-c-button`
 * @param attributes by name; `on*` values are listeners; null and false are omitted
 * @param children nodes, strings, numbers or nested arrays; null and false are omitted
 */
export function el(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split('.');
  return filled(document.createElement(tag), classes, attributes, children);
}

/** Creates an SVG element. */
export function svg(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split('.');
  return filled(document.createElementNS(SVG, tag), classes, attributes, children);
}

/** Replaces an element's children. */
export function fill(element, ...children) {
  element.replaceChildren(...nodes(children));
  return element;
}

function filled(element, classes, attributes, children) {
  element.classList.add(...classes);
  for (const [name, value] of Object.entries(attributes)) {
    set(element, name, value);
  }
  element.append(...nodes(children));
  return element;
}

function set(element, name, value) {
  if (value === null || value === undefined || value === false) {
    return;
  }
  if (name.startsWith('on')) {
    element.addEventListener(name.slice(2), value);
  } else if (PROPERTIES.has(name)) {
    element[name] = value;
  } else if (name === 'href') {
    element.setAttribute(name, safe(value));
  } else {
    element.setAttribute(name, value === true ? '' : value);
  }
}

/** Allows links within the console and to web pages; rejects `javascript:` and the like. */
function safe(href) {
  return /^(#|\/console\/|blob:|https?:\/\/)/.test(href) ? href : '#/overview';
}

function nodes(children) {
  return children
    .flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : document.createTextNode(String(child))));
}

let ids = 0;

/** Returns a document-unique id. */
export function freshId(purpose) {
  ids += 1;
  return `${purpose}-${ids}`;
}
