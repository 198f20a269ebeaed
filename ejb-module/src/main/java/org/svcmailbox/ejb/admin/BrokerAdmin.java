package org.svcmailbox.ejb.admin;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.apache.activemq.artemis.api.core.ActiveMQAddressExistsException;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInterruptedException;
import org.apache.activemq.artemis.api.core.ActiveMQQueueExistsException;
import org.apache.activemq.artemis.api.core.ICoreMessage;
import org.apache.activemq.artemis.api.core.JsonUtil;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientRequestor;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.apache.activemq.artemis.api.core.management.ManagementHelper;
import org.apache.activemq.artemis.api.core.management.ResourceNames;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.ListedMessage;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.BrokerLinks;
import org.svcmailbox.ejb.link.BrokerTrouble;
import org.svcmailbox.ejb.link.Connection;

/**
 * Administration of the broker: queues, counts, settings. One connection, opened when first needed
 * and after each failure; one question at a time; safe for many threads.
 */
public final class BrokerAdmin implements AutoCloseable {
  /**
   * How long a queue must count 0 to be considered empty. It is longer than the broker keeps a
   * session of a service that is gone.
   */
  public static final Duration EMPTY_FOR = Duration.ofSeconds(10);

  private static final String MANAGEMENT_ADDRESS = "activemq.management";
  private static final long PATIENCE_MILLIS = 10_000;
  private static final long UNBOUNDED = -1;

  /** The most scheduled messages of a queue that management is asked to list. */
  static final int MOST_LISTED = 2_000;

  private static final String ATTRIBUTE_LIMIT = "managementMessageAttributeSizeLimit";

  /** Also those whose time has come and that nobody took since. */
  private static final String SCHEDULED = Message.HDR_SCHEDULED_DELIVERY_TIME + " IS NOT NULL";

  private static final String FILLED =
      "{\"field\":\"messageCount\",\"operation\":\"GREATER_THAN\",\"value\":\"0\"}";

  private interface Question<T> {
    T ask(ClientSession session) throws Exception;
  }

  private interface Task {
    void run(ClientSession session) throws Exception;
  }

  /** How long somebody who is waited for waits in turn for others' questions. */
  private static final Duration SHORT_TURN = Duration.ofSeconds(2);

  /** A failure that takes longer means that the broker is silent. */
  private static final long SILENCE_NANOS = Duration.ofSeconds(1).toNanos();

  private static final String SILENT = "the broker does not answer";

  private final BrokerConnections connections;
  private final Duration turnPatience;
  private final ReentrantLock turn = new ReentrantLock();
  private @Nullable Connection connection;
  private @Nullable ClientRequestor requestor;

  /** Whether the last question waited in vain. */
  private volatile boolean away;

  public BrokerAdmin(BrokerConnections connections) {
    this(connections, Duration.ofDays(1));
  }

  private BrokerAdmin(BrokerConnections connections, Duration turnPatience) {
    this.connections = connections;
    this.turnPatience = turnPatience;
  }

  /**
   * One for callers who are waited for. While the broker does not answer one of them, it refuses
   * the others.
   */
  public static BrokerAdmin impatient(BrokerConnections connections) {
    return new BrokerAdmin(connections, SHORT_TURN);
  }

  /** Throws {@link UnavailableException} when the broker does not answer. */
  public void requireAnswer() {
    perform("answer", session -> session.queueQuery(QueueNames.UNDELIVERABLE));
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
    perform(
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
    askForLong(
        "delete the queue " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            manage(ResourceNames.BROKER, "destroyQueue", queue.toString(), true);
          }
          if (session.addressQuery(queue).isExists()) {
            manage(ResourceNames.BROKER, "deleteAddress", queue.toString());
          }
          return Boolean.TRUE;
        });
  }

  /** The attributes of a queue. */
  ClientSession.QueueQuery look(String queue) {
    return ask("look at the queue " + queue, session -> session.queueQuery(SimpleString.of(queue)));
  }

  /** Whether a queue is there. */
  public boolean exists(SimpleString queue) {
    return ask("look for the queue " + queue, session -> session.queueQuery(queue).isExists());
  }

  /**
   * How many messages a queue holds: ready, delivering and scheduled; 0 if there is no queue. The
   * count misses messages while a lost session gives them back, so a count of 0 does not prove that
   * the queue is empty.
   */
  public long countMessages(SimpleString queue) {
    return ask(
        "count the messages of " + queue,
        session -> {
          ClientSession.QueueQuery found = session.queueQuery(queue);
          return found.isExists() ? found.getMessageCount() : 0L;
        });
  }

  /** The bytes of a queue's messages, with those in page files; 0 if there is no queue. */
  public long bytes(String queue) {
    return ask(
        "ask how much is in " + queue,
        session -> {
          ActiveMQServer here = here();
          if (here == null) {
            return attribute(ResourceNames.QUEUE + queue, "persistentSize") instanceof Number bytes
                ? bytes.longValue()
                : 0L;
          }
          // At the start all queues that have messages are asked for; management takes its time.
          Queue found = here.locateQueue(SimpleString.of(queue));
          return found == null ? 0L : found.getPersistentSize();
        });
  }

  private @Nullable ActiveMQServer here() {
    return BrokerLinks.here(connections.access(), openConnection().factory());
  }

  /** Removes the messages of a queue whose time has not come; answers how many. */
  public long removeScheduled(SimpleString queue) {
    return askForLong(
        "remove the scheduled messages of " + queue,
        session -> {
          Object removed =
              session.queueQuery(queue).isExists()
                  ? manage(ResourceNames.QUEUE + queue, "removeMessages", SCHEDULED)
                  : null;
          return removed instanceof Number count ? count.longValue() : 0L;
        });
  }

  /** Removes one message that no session has, by the broker's number; answers whether it was so. */
  public boolean remove(SimpleString queue, long number) {
    return ask(
        "remove a message of " + queue,
        session ->
            Boolean.TRUE.equals(manage(ResourceNames.QUEUE + queue, "removeMessage", number)));
  }

  /**
   * The messages of a queue that wait for their time, soonest first; none without the queue. The
   * management of a broker in another process has no pages of them, so it is asked for few only.
   */
  public Stream<ICoreMessage> scheduled(SimpleString queue) {
    return ask(
        "list the scheduled messages of " + queue,
        session -> {
          ActiveMQServer here = here();
          if (here == null) {
            return session.queueQuery(queue).isExists() ? listed(queue) : Stream.of();
          }
          Queue found = here.locateQueue(queue);
          return found == null
              ? Stream.of()
              : found.getScheduledMessages().stream()
                  .map(reference -> reference.getMessage().toCore());
        });
  }

  private Stream<ICoreMessage> listed(SimpleString queue) throws Exception {
    if (!tellsWholeAttributes(queue.toString())) {
      throw new UnavailableException(
          "the broker cannot list scheduled messages: set management-message-attribute-size-limit"
              + " for mailbox.# to -1");
    }
    String resource = ResourceNames.QUEUE + queue;
    if (attribute(resource, "ScheduledCount") instanceof Number count
        && count.longValue() > MOST_LISTED) {
      throw new UnavailableException(
          "a broker in another process lists up to " + MOST_LISTED + " scheduled messages");
    }
    String answer = String.valueOf(manage(resource, "listScheduledMessagesAsJSON"));
    return JsonUtil.readJsonArray(answer).stream()
        .map(each -> ListedMessage.of(each.asJsonObject()));
  }

  /** Whether management tells the long properties of an address' messages, and not only a part. */
  public boolean tellsWholeAttributes(String address) {
    return JsonUtil.readJsonObject(addressSettings(address)).getInt(ATTRIBUTE_LIMIT, 0) == -1;
  }

  /** A number among a queue's attributes, 0 where the broker has none to tell. */
  public long number(SimpleString queue, String attribute) {
    return number(ResourceNames.QUEUE + queue, attribute);
  }

  /** The same of anything that is managed. */
  public long number(String resource, String attribute) {
    return ask(
        "ask for " + attribute + " of " + resource,
        session -> {
          Object value = attribute(resource, attribute);
          return value instanceof Number number ? number.longValue() : 0L;
        });
  }

  /** The percentage of its disk that the broker sees in use. */
  public double diskUsage() {
    return ask(
        "ask how full its disk is",
        session ->
            attribute(ResourceNames.BROKER, "DiskStoreUsage") instanceof Number part
                ? 100 * part.doubleValue()
                : 0.0);
  }

  /** The names of all queues. */
  public List<SimpleString> queues() {
    return texts(ResourceNames.BROKER, "QueueNames").stream().map(SimpleString::of).toList();
  }

  /**
   * Some of the queues that have messages, as the broker's own JSON.
   *
   * @param page from 1
   * @param size how many a page has
   */
  String filledQueues(int page, int size) {
    return ask(
        "list the queues that have messages",
        session -> String.valueOf(manage(ResourceNames.BROKER, "listQueues", FILLED, page, size)));
  }

  /** Makes everything ready in a queue that waits for its time; nothing if it is gone. */
  public void deliverScheduled(SimpleString queue) {
    perform(
        "deliver what is delayed in " + queue,
        session -> {
          if (session.queueQuery(queue).isExists()) {
            manage(ResourceNames.QUEUE + queue, "deliverScheduledMessages", "");
          }
        });
  }

  /** Whether something that can be on or off of the whole broker is on. */
  public boolean isOn(String attribute) {
    return ask(
        "ask whether the broker is " + attribute,
        session -> Boolean.TRUE.equals(attribute(ResourceNames.BROKER, attribute)));
  }

  /** A text among the attributes of anything that is managed; empty where the broker has none. */
  public String text(String resource, String attribute) {
    return ask(
        "ask for " + attribute + " of " + resource,
        session -> Objects.requireNonNullElse(attribute(resource, attribute), "").toString());
  }

  /** The texts of a list among the attributes; none where the broker has none. */
  public List<String> texts(String resource, String attribute) {
    return ask(
        "ask for " + attribute + " of " + resource,
        session ->
            attribute(resource, attribute) instanceof Object[] texts
                ? Arrays.stream(texts).map(Object::toString).toList()
                : List.of());
  }

  /** Identifies the connection that questions go over; another one has another. */
  public Object connectionId() {
    return ask("answer", session -> openConnection().factory().getConnection().getID());
  }

  /** The settings that hold for an address, as the broker's own JSON. */
  public String addressSettings(String address) {
    return ask(
        "read the settings of " + address,
        session ->
            String.valueOf(manage(ResourceNames.BROKER, "getAddressSettingsAsJSON", address)));
  }

  /** Passes a number that every message of a queue has to {@code each}, taking none of them. */
  void browse(SimpleString queue, SimpleString property, LongConsumer each) {
    perform(
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

  private @Nullable Object attribute(String resource, String attribute) throws Exception {
    ClientMessage question = openSession().createMessage(false);
    ManagementHelper.putAttribute(question, resource, attribute);
    return answer(question);
  }

  private @Nullable Object manage(String resource, String operation, Object... arguments)
      throws Exception {
    ClientMessage question = openSession().createMessage(false);
    ManagementHelper.putOperationInvocation(question, resource, operation, arguments);
    return answer(question);
  }

  private @Nullable Object answer(ClientMessage question) throws Exception {
    ClientRequestor asking = requestor;
    if (asking == null) {
      asking = new ClientRequestor(openSession(), MANAGEMENT_ADDRESS);
      requestor = asking;
    }
    ClientMessage answer = asking.request(question, PATIENCE_MILLIS);
    if (answer == null) {
      throw new UnavailableException("the broker's management did not answer");
    }
    Object result = ManagementHelper.getResult(answer);
    if (!ManagementHelper.hasOperationSucceeded(answer)) {
      throw new UnavailableException("the broker's management refused: " + result);
    }
    return result;
  }

  private ClientSession openSession() {
    return openConnection().session();
  }

  private Connection openConnection() {
    Connection present = connection;
    if (present == null || present.session().isClosed()) {
      close();
      present = connections.open(false);
      connection = present;
    }
    return present;
  }

  private void perform(String doing, Task task) {
    ask(
        doing,
        session -> {
          task.run(session);
          return Boolean.TRUE;
        });
  }

  private <T> T ask(String doing, Question<T> question) {
    return inTurn(() -> connections.access().state().asking(() -> answer(doing, question)));
  }

  /** Asks for something that may take the broker long, which is no silence. */
  private <T> T askForLong(String doing, Question<T> question) {
    return inTurn(() -> answer(doing, question));
  }

  private <T> T inTurn(Supplier<T> work) {
    awaitTurn();
    try {
      return work.get();
    } finally {
      turn.unlock();
    }
  }

  /** An impatient caller gets no turn once another one was not answered. */
  private void awaitTurn() {
    boolean mayWait = !turnPatience.equals(SHORT_TURN);
    boolean knownAway = away;
    Duration patience = knownAway && !mayWait ? Duration.ZERO : turnPatience;
    if (!hasTurn(patience)) {
      throw new UnavailableException(SILENT);
    }
    if (away && !knownAway && !mayWait) {
      turn.unlock();
      throw new UnavailableException(SILENT);
    }
  }

  private boolean hasTurn(Duration patience) {
    try {
      return turn.tryLock(patience.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while others asked the broker", e);
    }
  }

  private <T> T answer(String doing, Question<T> question) {
    long begun = System.nanoTime();
    boolean answered = false;
    try {
      T answer = question.ask(openSession());
      answered = true;
      return answer;
    } catch (UnavailableException e) {
      throw e;
    } catch (ActiveMQInterruptedException e) {
      Thread.currentThread().interrupt();
      throw new UnavailableException("interrupted while the broker was to " + doing, e);
    } catch (Exception e) {
      throw BrokerTrouble.unavailable("the broker failed to " + doing, e);
    } finally {
      away = !answered && System.nanoTime() - begun >= SILENCE_NANOS;
      if (!answered) {
        // An answer may still be under way that no later question must get.
        close();
      }
    }
  }

  @Override
  public void close() {
    turn.lock();
    try {
      Connection present = connection;
      connection = null;
      requestor = null;
      if (present != null) {
        present.close();
      }
    } finally {
      turn.unlock();
    }
  }
}
