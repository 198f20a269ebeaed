package org.svcmailbox.ejb.admin;

import java.util.List;
import java.util.function.BooleanSupplier;
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
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.Broker.QueueCounts;
import org.svcmailbox.core.problem.UnavailableException;

/** Creates, counts and deletes the broker's queues. */
public final class QueueAdmin {
  private static final long UNBOUNDED = -1;
  private static final String FILLED =
      "{\"field\":\"messageCount\",\"operation\":\"GREATER_THAN\",\"value\":\"0\"}";

  private final BrokerAdmin broker;

  QueueAdmin(BrokerAdmin broker) {
    this.broker = broker;
  }

  /** Creates a durable anycast queue on an address of its own name; no error if it exists. */
  public void create(SimpleString queue) {
    create(durable(queue));
  }

  /**
   * As {@link #create}, for a queue that hands all messages to one consumer until that is closed.
   */
  public void createExclusive(SimpleString queue) {
    create(durable(queue).setExclusive(true));
  }

  /** As {@link #create}, for a queue whose pages stay on disk while nobody consumes it. */
  public void createArchive(SimpleString queue) {
    create(durable(queue).setConsumersBeforeDispatch(1));
  }

  /** Sets every attribute, so that no default of the address settings applies. */
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
      // Another thread or node created it meanwhile.
      return;
    }
  }

  private static void createAddress(ClientSession session, SimpleString address)
      throws ActiveMQException {
    try {
      session.createAddress(address, RoutingType.ANYCAST, false);
    } catch (ActiveMQAddressExistsException e) {
      // An interrupted creation left it over, or somebody created it meanwhile.
      return;
    }
  }

  /** Deletes a queue with its messages and consumers; no error if it is missing. */
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

  /**
   * As {@link #delete(SimpleString)}, of a queue without consumers.
   *
   * @param mayDelete asked on the connection that deletes the queue; if not, the call throws {@link
   *     UnavailableException}
   */
  public void delete(SimpleString queue, BooleanSupplier mayDelete) {
    broker.askForLong(
        "delete the queue " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            if (!mayDelete.getAsBoolean()) {
              throw new UnavailableException("the queue " + queue + " must stay");
            }
            session.deleteQueue(queue);
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

  /** Whether a queue exists. */
  public boolean exists(SimpleString queue) {
    return broker.ask(
        "look for the queue " + queue, session -> session.queueQuery(queue).isExists());
  }

  /** Whether an address exists. */
  public boolean hasAddress(String address) {
    return broker.ask(
        "look for the address " + address,
        session -> session.addressQuery(SimpleString.of(address)).isExists());
  }

  /**
   * How many messages a queue holds: ready, delivering and scheduled; 0 if the queue is missing.
   * The count misses messages while a lost session gives them back. It also misses new ones until
   * the queue's thread has appended them. So a count of 0 does not prove that the queue is empty.
   */
  public long countMessages(SimpleString queue) {
    return broker
        .look(queue, found -> found == null ? 0L : found.getMessageCount())
        .orElseGet(() -> countMessagesElsewhere(queue));
  }

  private long countMessagesElsewhere(SimpleString queue) {
    return broker.ask(
        "count the messages of " + queue,
        session -> {
          ClientSession.QueueQuery found = session.queueQuery(queue);
          return found.isExists() ? found.getMessageCount() : 0L;
        });
  }

  /**
   * As {@link #countMessages}, with the scheduled messages, and the age of the oldest ready one by
   * the broker's clock.
   */
  public QueueCounts counts(SimpleString queue) {
    return broker.look(queue, QueueAdmin::counts).orElseGet(() -> countsElsewhere(queue));
  }

  private static QueueCounts counts(@Nullable Queue queue) {
    if (queue == null) {
      return QueueCounts.NOTHING;
    }
    MessageReference oldest = queue.peekFirstMessage();
    long age = oldest == null ? 0 : System.currentTimeMillis() - oldest.getMessage().getTimestamp();
    return new QueueCounts(queue.getMessageCount(), queue.getScheduledCount(), age);
  }

  private QueueCounts countsElsewhere(SimpleString queue) {
    long messages = countMessagesElsewhere(queue);
    return messages == 0
        ? QueueCounts.NOTHING
        : new QueueCounts(
            messages,
            broker.attributes().number(queue, "scheduledCount"),
            broker.attributes().number(queue, "firstMessageAge"));
  }

  /** The bytes of a queue's messages, including page files; 0 if the queue is missing. */
  public long bytes(SimpleString queue) {
    return broker
        .look(queue, found -> found == null ? 0L : found.getPersistentSize())
        .orElseGet(() -> broker.attributes().number(queue, "persistentSize"));
  }

  /** The names of all queues. */
  public List<SimpleString> names() {
    return broker.attributes().texts(ResourceNames.BROKER, "QueueNames").stream()
        .map(SimpleString::of)
        .toList();
  }

  /**
   * One page of the queues that have messages, as the broker's own JSON.
   *
   * @param page from 1
   * @param size queues per page
   */
  String filledQueues(int page, int size) {
    return broker.ask(
        "list the queues that have messages",
        session ->
            String.valueOf(broker.manage(ResourceNames.BROKER, "listQueues", FILLED, page, size)));
  }

  /**
   * Passes a numeric property of every message in a queue to {@code each}, without consuming any.
   */
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
