/**
 * Elements whose words are always text. Nothing that comes from outside is ever parsed as HTML: there
 * is no other way than these to put something on the page.
 */

const PROPERTIES = new Set(['checked', 'disabled', 'hidden', 'indeterminate', 'value', 'open']);
const SVG = 'http://www.w3.org/2000/svg';

/**
 * An element.
 *
 * @param selector such as `button.pf-c-button`
 * @param attributes by name; `onclick` and the like are functions; null and false are left out
 * @param children nodes, texts, numbers, lists of such; null and false are left out
 */
export function el(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split('.');
  return filled(document.createElement(tag), classes, attributes, children);
}

/** The same for SVG. */
export function svg(selector, attributes = {}, ...children) {
  const [tag, ...classes] = selector.split('.');
  return filled(document.createElementNS(SVG, tag), classes, attributes, children);
}

/** Puts these children in the place of those that are there. */
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

/** A link leads to a place of the console, or to a web page; never to a script. */
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

/** An id that no other element has. */
export function freshId(purpose) {
  ids += 1;
  return `${purpose}-${ids}`;
}
