package org.svcmailbox.ejb.link;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.ActiveMQInternalErrorException;
import org.apache.activemq.artemis.api.core.Message;
import org.apache.activemq.artemis.core.server.MessageReference;
import org.apache.activemq.artemis.core.server.ServerConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.codec.Received;

/**
 * A consumer of the broker of this process.
 *
 * <p>The broker prefetches messages up to {@link #WINDOW_BYTES} and stops when there is no room;
 * the owner prompts it again once half of that is taken. Neither may miss the other, or delivery
 * would stop. So the broker notes that it stops <em>before</em> it checks the room for the last
 * time. The owner makes room <em>before</em> it checks whether the broker stopped.
 *
 * <p>A certain answer needs one turn of the queue's executor, which runs one task at a time. A
 * delivery takes everything that is ready, and our mark comes behind it.
 */
final class DirectShardConsumer implements ShardConsumer {
  private static final int RESUME_BYTES = WINDOW_BYTES / 2;

  private final DirectLink link;
  private final ServerConsumer consumer;
  private final Arrived<MessageReference> arrived = new Arrived<>();
  private final AtomicReference<@Nullable Runnable> watcher = new AtomicReference<>();
  private volatile boolean turnedAway;
  private volatile boolean ended;

  DirectShardConsumer(DirectLink link, ServerConsumer consumer) {
    this.link = link;
    this.consumer = consumer;
  }

  // Called on the broker's threads.

  boolean hasRoom() {
    if (arrived.bytes() < WINDOW_BYTES) {
      return true;
    }
    turnedAway = true;
    return arrived.bytes() < RESUME_BYTES;
  }

  /** Returns the size of the message. */
  int arrived(MessageReference message) {
    int bytes = message.getMessage().getEncodeSize();
    arrived.add(message, bytes);
    tell();
    return bytes;
  }

  /** Called when the queue is gone. */
  void end() {
    ended = true;
    tell();
  }

  @Override
  public void fail() {
    tell();
  }

  private void tell() {
    Runnable told = watcher.get() == null ? null : watcher.getAndSet(null);
    if (told != null) {
      told.run();
    }
  }

  // Called on the owner's thread.

  @Override
  public @Nullable Received next(boolean certain) throws ActiveMQException {
    watcher.set(null);
    MessageReference first = arrived.poll();
    if (first == null && certain) {
      letItDeliver();
      first = arrived.poll();
    }
    if (ended) {
      throw new UnavailableException("the broker closed the consumer");
    }
    return first == null ? null : take(first);
  }

  @Override
  public @Nullable Received next(Predicate<Message> wanted) throws ActiveMQException {
    MessageReference found = arrived.poll(one -> wanted.test(one.getMessage()));
    return found == null ? null : take(found);
  }

  private Received take(MessageReference message) throws ActiveMQException {
    if (turnedAway && arrived.bytes() < RESUME_BYTES) {
      turnedAway = false;
      consumer.promptDelivery();
    }
    return read(message);
  }

  private Received read(MessageReference message) throws ActiveMQException {
    long id = message.getMessageID();
    try {
      return Received.of(
          message.getMessage().toCore(),
          message.getDeliveryCount(),
          () -> link.acknowledge(consumer, id));
    } catch (RuntimeException e) {
      throw new ActiveMQInternalErrorException("a message could not be read: " + e, e);
    }
  }

  private void letItDeliver() throws ActiveMQException {
    Completion turn = new Completion();
    consumer.promptDelivery();
    consumer.getQueue().getExecutor().execute(turn::done);
    link.await(turn);
  }

  @Override
  public void watch(Runnable runnable) {
    watcher.set(runnable);
    if (ended || !arrived.isEmpty()) {
      tell();
    }
  }

  @Override
  public void close() throws ActiveMQException {
    watcher.set(null);
    link.close(consumer);
  }
}
