package org.svcmailbox.ejb.letters;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.apache.activemq.artemis.api.core.ActiveMQException;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.api.core.client.ClientConsumer;
import org.apache.activemq.artemis.api.core.client.ClientMessage;
import org.apache.activemq.artemis.api.core.client.ClientSession;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterPositions;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.ejb.admin.QueueCountReader;
import org.svcmailbox.ejb.codec.LetterCodec;
import org.svcmailbox.ejb.codec.MessageCodec;
import org.svcmailbox.ejb.codec.Received;
import org.svcmailbox.ejb.link.BrokerClock;
import org.svcmailbox.ejb.link.BrokerConnections;
import org.svcmailbox.ejb.link.Connection;

/** Browses the queues of dead letters. */
public final class ArtemisLetters implements LetterQueues {
  private static final Duration BROWSE_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration FRONTIER_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration PAUSE = Duration.ofMillis(20);

  private final BrokerConnections connections;
  private final LetterSegments segments;
  private final BrokerAdmin admin;
  private final BrokerAdmin asking;
  private final LetterPositions positions;
  private final BrokerClock clock;

  /**
   * @param asking for questions that a caller waits for
   */
  public ArtemisLetters(
      BrokerConnections connections,
      LetterSegments segments,
      BrokerAdmin admin,
      BrokerAdmin asking,
      LetterPositions positions,
      BrokerClock clock) {
    this.positions = positions;
    this.clock = clock;
    this.connections = connections;
    this.segments = segments;
    this.admin = admin;
    this.asking = asking;
  }

  @Override
  public Map<TopicName, Map<Integer, Long>> counts() {
    return new QueueCountReader(admin).readLetters();
  }

  @Override
  public List<DeadLetter> browse(TopicName topic, int segment) {
    List<DeadLetter> found = new ArrayList<>();
    browseAll(
        topic,
        segment,
        all ->
            all.forEach(
                one ->
                    found.add(
                        LetterCodec.decode(one.message(), one.body().length, topic, segment))));
    return found;
  }

  /** A letter in an open transaction counts as delivering in the broker. */
  @Override
  public void requireResolved(TopicName topic, int segment) {
    SimpleString queue = segments.queue(topic, segment);
    if (queue != null
        && admin.queues().exists(queue)
        && admin.attributes().number(queue, "deliveringCount") > 0) {
      throw new UnavailableException("a transaction that holds letters of " + queue + " is open");
    }
  }

  @Override
  public Optional<LetterContent> read(DeadLetter letter) {
    List<LetterContent> found = new ArrayList<>();
    Look look =
        all ->
            all.stream()
                .map(one -> LetterCodec.content(one, letter.topic(), letter.segment()))
                .filter(content -> content.letter().position().equals(letter.position()))
                .forEach(found::add);
    SimpleString position =
        SimpleString.of(MessageCodec.POSITION + " = " + letter.position().bits());
    inQueue(
        letter.topic(),
        letter.segment(),
        (session, queue) -> look.at(browse(session, queue, position)));
    if (found.isEmpty()) {
      // It is gone, or another program made it without a position.
      browseAll(letter.topic(), letter.segment(), look);
    }
    return found.stream().findFirst();
  }

  @Override
  public LetterPosition frontier() {
    LetterPosition frontier = positions.next(clock.now());
    long end = System.nanoTime() + FRONTIER_TIMEOUT.toNanos();
    while (!positions.isResolved(frontier)) {
      if (System.nanoTime() - end >= 0) {
        throw new UnavailableException("letters are dying, and their transactions do not end");
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
    return frontier;
  }

  private interface Look {
    void at(List<Received> letters);
  }

  private interface Work {
    void in(ClientSession session, SimpleString queue) throws ActiveMQException;
  }

  /** Repeats incomplete browses: a paging broker ends them early at times. */
  private void browseAll(TopicName topic, int segment, Look look) {
    inQueue(
        topic,
        segment,
        (session, queue) -> {
          long end = System.nanoTime() + BROWSE_TIMEOUT.toNanos();
          long there = session.queueQuery(queue).getMessageCount();
          List<Received> seen = browse(session, queue, null);
          while (seen.size() < there && System.nanoTime() - end < 0) {
            LockSupport.parkNanos(PAUSE.toNanos());
            there = session.queueQuery(queue).getMessageCount();
            seen = browse(session, queue, null);
          }
          if (seen.size() < there) {
            throw new UnavailableException("the broker does not show all letters of " + queue);
          }
          look.at(seen);
        });
  }

  private void inQueue(TopicName topic, int segment, Work work) {
    asking.requireAnswer();
    SimpleString queue = segments.queue(topic, segment);
    if (queue == null) {
      return;
    }
    try (Connection connection = connections.open(false)) {
      if (connection.session().queueQuery(queue).isExists()) {
        work.in(connection.session(), queue);
      }
    } catch (ActiveMQException e) {
      throw new UnavailableException("the broker failed to show dead letters", e);
    }
  }

  /** Skips duplicates: while the broker reads pages, it may show a letter twice. */
  private static List<Received> browse(
      ClientSession session, SimpleString queue, @Nullable SimpleString filter)
      throws ActiveMQException {
    List<Received> seen = new ArrayList<>();
    Set<Long> ids = new HashSet<>();
    try (ClientConsumer browser =
        session.createConsumer(queue, filter, LetterSegments.WHOLE, -1, true)) {
      ClientMessage next = browser.receiveImmediate();
      while (next != null) {
        if (ids.add(next.getMessageID())) {
          seen.add(Received.of(next));
        }
        next = browser.receiveImmediate();
      }
    }
    return seen;
  }
}
