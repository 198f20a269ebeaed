package org.svcmailbox.ejb.admin;

import java.util.List;
import java.util.function.LongConsumer;
import org.apache.activemq.artemis.api.core.ActiveMQAddressExistsException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueExistsException;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;

/** The queues of the broker: what there is, how much is in it, and changes to it. */
public final class QueueAdmin {
  private static final long UNBOUNDED = -1;
  private static final String FILLED =
      "{\"field\":\"messageCount\",\"operation\":\"GREATER_THAN\",\"value\":\"0\"}";

  private final BrokerAdmin broker;

  QueueAdmin(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Makes a durable anycast queue on an address of its own name, if it is not there. */
  public void create(SimpleString queue) {
    create(durable(queue));
  }

  /** The same for a queue that hands all messages to one consumer, until that is closed. */
  public void createExclusive(SimpleString queue) {
    create(durable(queue).setExclusive(true));
  }

  /** The same for a queue whose pages the broker leaves on disk while nobody consumes it. */
  public void createArchive(SimpleString queue) {
    create(durable(queue).setConsumersBeforeDispatch(1));
  }

  /** Says everything, whatever the address settings have as defaults for new queues. */
  private static QueueConfiguration durable(SimpleString queue) {
    return QueueConfiguration.of(queue)
        .setAddress(queue)
        .setRoutingType(RoutingType.ANYCAST)
        .setDurable(true)
        .setAutoDelete(false)
        .setPurgeOnNoConsumers(false)
        .setLastValue(false)
        .setNonDestructive(false)
        .setExclusive(false)
        .setRingSize(UNBOUNDED)
        .setMaxConsumers(-1);
  }

  private void create(QueueConfiguration queue) {
    broker.perform(
        "create the queue " + queue.getName(),
        session -> {
          if (!session.queueQuery(queue.getName()).isExists()) {
            create(session, queue);
          }
        });
  }

  private static void create(ClientSession session, QueueConfiguration queue)
      throws ActiveMQException {
    try {
      createAddress(session, queue.getAddress());
      session.createQueue(queue);
    } catch (ActiveMQQueueExistsException e) {
      // Another thread or node made it since the question: what was wanted.
      return;
    }
  }

  private static void createAddress(ClientSession session, SimpleString address)
      throws ActiveMQException {
    try {
      session.createAddress(address, RoutingType.ANYCAST, false);
    } catch (ActiveMQAddressExistsException e) {
      // It may have been left over by a creation that was cut off, or be there since the question.
      return;
    }
  }

  /** Removes a queue with its messages and consumers; no error if missing. */
  public void delete(SimpleString queue) {
    broker.askForLong(
        "delete the queue " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            broker.manage(ResourceNames.BROKER, "destroyQueue", queue.toString(), true);
          }
          if (session.addressQuery(queue).isExists()) {
            broker.manage(ResourceNames.BROKER, "deleteAddress", queue.toString());
          }
          return Boolean.TRUE;
        });
  }

  /** The attributes of a queue. */
  ClientSession.QueueQuery look(String queue) {
    return broker.ask(
        "look at the queue " + queue, session -> session.queueQuery(SimpleString.of(queue)));
  }

  /** Whether a queue is there. */
  public boolean exists(SimpleString queue) {
    return broker.ask(
        "look for the queue " + queue, session -> session.queueQuery(queue).isExists());
  }

  /**
   * How many messages a queue holds: ready, delivering and scheduled; 0 if there is no queue. The
   * count misses messages while a lost session gives them back, so a count of 0 does not prove that
   * the queue is empty.
   */
  public long countMessages(SimpleString queue) {
    return broker.ask(
        "count the messages of " + queue,
        session -> {
          ClientSession.QueueQuery found = session.queueQuery(queue);
          return found.isExists() ? found.getMessageCount() : 0L;
        });
  }

  /** The bytes of a queue's messages, with those in page files; 0 if there is no queue. */
  public long bytes(String queue) {
    return broker.ask(
        "ask how much is in " + queue,
        session -> {
          ActiveMQServer here = broker.here();
          if (here == null) {
            return broker.attribute(ResourceNames.QUEUE + queue, "persistentSize")
                    instanceof Number bytes
                ? bytes.longValue()
                : 0L;
          }
          // At the start all queues that have messages are asked for; management takes its time.
          Queue found = here.locateQueue(SimpleString.of(queue));
          return found == null ? 0L : found.getPersistentSize();
        });
  }

  /** The names of all queues. */
  public List<SimpleString> names() {
    return broker.attributes().texts(ResourceNames.BROKER, "QueueNames").stream()
        .map(SimpleString::of)
        .toList();
  }

  /**
   * Some of the queues that have messages, as the broker's own JSON.
   *
   * @param page from 1
   * @param size how many a page has
   */
  String filledQueues(int page, int size) {
    return broker.ask(
        "list the queues that have messages",
        session ->
            String.valueOf(broker.manage(ResourceNames.BROKER, "listQueues", FILLED, page, size)));
  }

  /** Passes a number that every message of a queue has to {@code each}, taking none of them. */
  void browse(SimpleString queue, SimpleString property, LongConsumer each) {
    broker.perform(
        "browse " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            browse(session, queue, property, each);
          }
        });
  }

  private static void browse(
      ClientSession session, SimpleString queue, SimpleString property, LongConsumer each)
      throws ActiveMQException {
    try (ClientConsumer browser = session.createConsumer(queue, true)) {
      for (ClientMessage next = browser.receiveImmediate();
          next != null;
          next = browser.receiveImmediate()) {
        each.accept(next.getLongProperty(property));
      }
    }
  }
}
