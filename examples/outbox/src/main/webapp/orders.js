// Places orders, and shows once a second how far each has come.
const TIMES = ['recorded', 'accepted', 'received', 'handled'];
const POISONED = { item: 'apples', quantity: 1, destination: 'Atlantis' };

const form = document.getElementById('order');
const said = document.getElementById('said');

async function place(order) {
  const answer = await fetch('api/orders', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(order),
  });
  const { order: number, detail = 'the server failed' } = await answer.json().catch(() => ({}));
  said.textContent = answer.ok ? `Order ${number} is placed.` : `No order is placed: ${detail}.`;
  await show();
}

function cell(text) {
  const cell = document.createElement('td');
  cell.textContent = text;
  return cell;
}

function time(value) {
  const clock = { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hour12: false };
  return value ? new Date(value).toLocaleTimeString([], clock) : '';
}

function row(order) {
  const row = document.createElement('tr');
  const number = document.createElement('th');
  number.scope = 'row';
  number.textContent = order.order;
  row.append(number, cell(`${order.quantity} ${order.item}`), cell(order.destination));
  row.append(...TIMES.map((name) => cell(time(order[name]))));
  if (order.dead_letter) {
    row.lastChild.textContent = `Dead letter: ${order.dead_letter}`;
  }
  return row;
}

async function show() {
  const answer = await fetch('api/orders');
  if (answer.ok) {
    const { orders, outbox_backlog: backlog } = await answer.json();
    document.getElementById('orders').replaceChildren(...orders.map(row));
    document.getElementById('backlog').textContent = backlog;
  }
}

async function keepShowing() {
  try {
    await show();
  } finally {
    setTimeout(keepShowing, 1000);
  }
}

form.addEventListener('submit', (event) => {
  event.preventDefault();
  const { item, quantity, destination } = Object.fromEntries(new FormData(form));
  place({ item, quantity: Number(quantity), destination });
});
document.getElementById('poisoned').addEventListener('click', () => place(POISONED));
keepShowing();
