CREATE SEQUENCE order_numbers;

CREATE TABLE orders (
  number BIGINT PRIMARY KEY,
  item VARCHAR(100) NOT NULL,
  quantity INT NOT NULL,
  destination VARCHAR(100) NOT NULL,
  event_id UUID NOT NULL
);

CREATE TABLE items (
  name VARCHAR(100) PRIMARY KEY,
  stock INT NOT NULL
);

INSERT INTO items (name, stock) VALUES ('apples', 1000), ('pears', 1000);

-- Of another bounded context: it knows orders by their number only.
CREATE TABLE shipments (
  order_number BIGINT PRIMARY KEY,
  destination VARCHAR(100) NOT NULL
);
