package org.svcmailbox.ejb.link;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.core.client.impl.ClientConsumerInternal;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.Received;

/**
 * A consumer of Artemis' client.
 *
 * <p>The client offers two modes. Without a handler, messages wait in its buffer until they are
 * received; with one, the session's ordered executor takes them from the buffer one by one. A watch
 * is a handler that takes one message only: it puts it into {@link #arrived}, removes itself, and
 * then tells the watcher. From there on the rest stays in the buffer, behind what arrived, so
 * {@link #next} takes what arrived first and the order is kept.
 *
 * <p>Load-bearing, read before changing:
 *
 * <ul>
 *   <li>The handler puts the message away <em>before</em> it removes itself. {@link #endWatch} sees
 *       either the handler, and then waits for it, or no handler, and then all it left behind.
 *   <li>Only {@code stop(true)} waits for a running handler. {@code setMessageHandler(null)} does
 *       not, although it looks so: it forgets the handler first and then finds nothing to wait for.
 *   <li>Executor runs that were queued for later messages find no handler, or the next one. They
 *       hand it at most one message, because the executor runs them one at a time.
 * </ul>
 *
 * <p>The session's owner calls everything, except {@link #onMessage}, which runs on a thread of the
 * Artemis client, and {@link #fail}.
 */
final class ClientShardConsumer implements ShardConsumer {
  private final ClientConsumerInternal consumer;
  private final FlowBarrier barrier;
  private final Arrived<Received> arrived = new Arrived<>();
  private final AtomicReference<@Nullable Runnable> watcher = new AtomicReference<>();
  private volatile boolean handling;
  private volatile @Nullable Exception unread;
  private boolean watching;
  private boolean creditsUnderWay;
  private boolean streamed;

  ClientShardConsumer(ClientConsumerInternal consumer, FlowBarrier barrier) {
    this.consumer = consumer;
    this.barrier = barrier;
  }

  @Override
  public @Nullable Received next(boolean certain) throws ActiveMQException {
    endWatch();
    Received first = arrived.poll();
    if (first != null) {
      streamed = first.message().isLargeMessage();
      return first;
    }
    ClientMessage message = receive(certain);
    return message == null ? null : Received.of(message);
  }

  /**
   * Searches the client's buffer by emptying it as far as there is room, because the client hands
   * out only its first message. The broker gets credit for what is handed out, so a second window
   * may be on its way.
   */
  @Override
  public @Nullable Received next(Predicate<Message> wanted) throws ActiveMQException {
    endWatch();
    for (int left = consumer.getBufferSize(); left > 0 && arrived.bytes() < WINDOW_BYTES; left--) {
      ClientMessage message = receiveNow();
      if (message == null) {
        break;
      }
      arrive(Received.of(message));
    }
    return arrived.poll(one -> wanted.test(one.message()));
  }

  private void arrive(Received one) {
    arrived.add(one, one.message().getHeadersAndPropertiesEncodeSize() + one.body().length);
  }

  private @Nullable ClientMessage receive(boolean certain) throws ActiveMQException {
    if (consumer.getBufferSize() == 0) {
      if (!certain) {
        return null;
      }
      awaitCredits();
    }
    ClientMessage message = receiveNow();
    if (message == null && certain && (creditsUnderWay || streamed)) {
      message = receiveAgain();
    }
    return message;
  }

  /**
   * Asks again when the first answer may be wrong, for one of two reasons. The buffer may have had
   * only the mark of an earlier request, so the credits were not on their way. Or the last message
   * was streamed. In that case the client may send the credits for its last piece only after the
   * body was read, and the broker delivers nothing before. The first answer has come after both.
   */
  private @Nullable ClientMessage receiveAgain() throws ActiveMQException {
    streamed = false;
    creditsUnderWay = true;
    awaitCredits();
    return receiveNow();
  }

  /** The first message in the buffer; asks the broker for one when the buffer is empty. */
  private @Nullable ClientMessage receiveNow() throws ActiveMQException {
    ClientMessage message = consumer.receiveImmediate();
    if (message != null) {
      creditsUnderWay = true;
      streamed = message.isLargeMessage();
    } else if (consumer.isClosed()) {
      throw new UnavailableException("the broker closed the consumer");
    }
    return message;
  }

  /**
   * Waits until the credits for received messages are on their way. The client sends them from
   * another thread, and a broker without credits may report a queue as empty because it cannot
   * deliver.
   */
  private void awaitCredits() throws ActiveMQException {
    if (creditsUnderWay) {
      barrier.await();
      creditsUnderWay = false;
    }
  }

  @Override
  public void watch(Runnable runnable) throws ActiveMQException {
    watcher.set(runnable);
    if (watching && consumer.getMessageHandler() != null) {
      return;
    }
    if (watching || !arrived.isEmpty()) {
      // The handler has run for an earlier watcher, and nobody has fetched since.
      tell();
      return;
    }
    watching = true;
    consumer.setMessageHandler(this::onMessage);
  }

  private void onMessage(ClientMessage message) {
    handling = true;
    try {
      // Read a streamed body here, because the client discards the rest afterwards.
      arrive(Received.of(message));
    } catch (ActiveMQException | RuntimeException e) {
      unread = e;
    }
    handling = false;
    removeHandler();
    tell();
  }

  private void removeHandler() {
    try {
      consumer.setMessageHandler(null);
    } catch (ActiveMQException e) {
      unread = e;
    }
  }

  private void tell() {
    Runnable runnable = watcher.getAndSet(null);
    if (runnable != null) {
      runnable.run();
    }
  }

  private void endWatch() throws ActiveMQException {
    if (!watching) {
      return;
    }
    consumer.stop(true);
    boolean stuck = handling;
    consumer.setMessageHandler(null);
    consumer.start();
    watching = false;
    creditsUnderWay = true;
    watcher.set(null);
    Exception failure = unread;
    if (failure != null) {
      throw new UnavailableException("a message could not be read from the broker", failure);
    }
    if (stuck) {
      throw new UnavailableException("a message is still being read from the broker");
    }
  }

  @Override
  public void fail() {
    tell();
  }

  @Override
  public void close() throws ActiveMQException {
    watcher.set(null);
    consumer.close();
  }
}
