package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.ejb.admin.NamesOnDisk;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/** Takes letters out of their queues, each time on a new connection. */
public final class ArtemisMover implements LetterMover {
  private static final Duration TAKE_TIMEOUT = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final BrokerConnections connections;
  private final NamesOnDisk names;
  private final LetterSegments segments;
  private final BrokerClock clock;

  public ArtemisMover(
      BrokerConnections connections,
      NamesOnDisk names,
      LetterSegments segments,
      BrokerClock clock) {
    this.connections = connections;
    this.names = names;
    this.segments = segments;
    this.clock = clock;
  }

  @Override
  public Transaction take(TopicName topic, int segment, Collection<LetterPosition> positions) {
    Connection connection = connections.open(true);
    boolean isOpen = false;
    try {
      SimpleString queue = segments.queue(topic, segment);
      Map<LetterPosition, Received> taken =
          queue == null || positions.isEmpty()
              ? Map.of()
              : receive(connection.session(), queue, positions);
      Transaction transaction =
          new ArtemisMoverTransaction(connection, names, taken, topic, segment, clock);
      isOpen = true;
      return transaction;
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to hand out dead letters", e);
    } finally {
      if (!isOpen) {
        connection.close();
      }
    }
  }

  /** Leaves the consumer open, since closing it returns its letters. */
  @SuppressWarnings("MustBeClosedChecker")
  private static Map<LetterPosition, Received> receive(
      ClientSession session, SimpleString queue, Collection<LetterPosition> positions)
      throws ActiveMQException {
    Map<LetterPosition, Received> taken = new HashMap<>();
    if (!session.queueQuery(queue).isExists()) {
      return taken;
    }
    ClientConsumer consumer =
        session.createConsumer(queue, filter(positions), LetterSegments.WHOLE, -1, false);
    long end = System.nanoTime() + TAKE_TIMEOUT.toNanos();
    while (taken.size() < positions.size()) {
      ClientMessage next = next(consumer, end);
      if (next == null) {
        break;
      }
      taken.put(new LetterPosition(next.getLongProperty(MessageCodec.POSITION)), Received.of(next));
    }
    return taken;
  }

  /** Waits, because the broker may have to read the letter from a page. */
  private static @Nullable ClientMessage next(ClientConsumer consumer, long end)
      throws ActiveMQException {
    ClientMessage next = consumer.receiveImmediate();
    while (next == null && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
      next = consumer.receiveImmediate();
    }
    return next;
  }

  /** Tests the range first, which excludes most letters. */
  private static SimpleString filter(Collection<LetterPosition> positions) {
    String each =
        positions.stream()
            .sorted()
            .map(position -> MessageCodec.POSITION + " = " + position.bits())
            .collect(Collectors.joining(" OR "));
    return SimpleString.of(
        MessageCodec.POSITION
            + " >= "
            + Collections.min(positions).bits()
            + " AND "
            + MessageCodec.POSITION
            + " <= "
            + Collections.max(positions).bits()
            + " AND ("
            + each
            + ")");
  }
}
