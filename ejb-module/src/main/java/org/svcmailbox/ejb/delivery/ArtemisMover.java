package org.svcmailbox.ejb.delivery;

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
import org.svcmailbox.core.deadletter.Place;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;

/** Takes letters out of their queues, each time on a connection of its own. */
final class ArtemisMover implements LetterMover {
  private static final Duration PATIENCE = Duration.ofMillis(500);
  private static final Duration PAUSE = Duration.ofMillis(10);

  private final BrokerConnections connections;
  private final PageFolders pageFolders;
  private final LetterSegments segments;
  private final BrokerClock clock;

  ArtemisMover(
      BrokerConnections connections,
      PageFolders pageFolders,
      LetterSegments segments,
      BrokerClock clock) {
    this.connections = connections;
    this.pageFolders = pageFolders;
    this.segments = segments;
    this.clock = clock;
  }

  @Override
  public Transaction take(TopicName topic, int segment, Collection<Place> places) {
    Connection connection = connections.open(true);
    boolean isOpen = false;
    try {
      SimpleString queue = segments.queue(topic, segment);
      Map<Place, Received> taken =
          queue == null || places.isEmpty()
              ? Map.of()
              : receive(connection.session(), queue, places);
      Transaction transaction =
          new ArtemisMoverTransaction(connection, pageFolders, taken, topic, segment, clock);
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

  /** The consumer stays: with it would go what it has received. */
  @SuppressWarnings("MustBeClosedChecker")
  private static Map<Place, Received> receive(
      ClientSession session, SimpleString queue, Collection<Place> places)
      throws ActiveMQException {
    Map<Place, Received> taken = new HashMap<>();
    if (!session.queueQuery(queue).isExists()) {
      return taken;
    }
    ClientConsumer consumer =
        session.createConsumer(queue, filter(places), LetterSegments.WHOLE, -1, false);
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (taken.size() < places.size()) {
      ClientMessage next = next(consumer, end);
      if (next == null) {
        break;
      }
      taken.put(new Place(next.getLongProperty(MessageCodec.PLACE)), Received.of(next));
    }
    return taken;
  }

  /** While it pages, the broker may have to read it first. */
  private static @Nullable ClientMessage next(ClientConsumer consumer, long end)
      throws ActiveMQException {
    ClientMessage next = consumer.receiveImmediate();
    while (next == null && System.nanoTime() - end < 0) {
      LockSupport.parkNanos(PAUSE.toNanos());
      next = consumer.receiveImmediate();
    }
    return next;
  }

  /** The range first: of most letters nothing else is looked at. */
  private static SimpleString filter(Collection<Place> places) {
    String each =
        places.stream()
            .sorted()
            .map(place -> MessageCodec.PLACE + " = " + place.bits())
            .collect(Collectors.joining(" OR "));
    return SimpleString.of(
        MessageCodec.PLACE
            + " >= "
            + Collections.min(places).bits()
            + " AND "
            + MessageCodec.PLACE
            + " <= "
            + Collections.max(places).bits()
            + " AND ("
            + each
            + ")");
  }
}
