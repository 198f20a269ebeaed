package org.svcmailbox.core.redrive.run;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.broker.InMemoryBroker;
import org.svcmailbox.core.broker.LetterAddress;
import org.svcmailbox.core.broker.ObservedLetter;
import org.svcmailbox.core.deadletter.DeadLetter;
import org.svcmailbox.core.deadletter.JobId;
import org.svcmailbox.core.deadletter.LetterContent;
import org.svcmailbox.core.deadletter.LetterPosition;
import org.svcmailbox.core.deadletter.LetterQueues;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Payload;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.message.MessageHistory;
import org.svcmailbox.core.message.StoredMessage;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.redrive.LetterMover;
import org.svcmailbox.core.topic.ShardId;

/** The dead letters of {@link InMemoryBroker}, with failing commits on request. */
public final class InMemoryLetters implements LetterQueues, LetterMover {
  /** When a commit that is to fail does so. */
  enum Fault {
    /** Nothing took effect. */
    BEFORE,
    /** Everything took effect, yet the caller is not told. */
    AFTER,
    /** {@link #endLate} decides. Until then the letters are in no queue. */
    LATE
  }

  private final InMemoryBroker broker;
  private @Nullable Fault nextCommit;
  private boolean isDeadly;
  private int commits;
  private @Nullable Held late;

  public InMemoryLetters(InMemoryBroker broker) {
    this.broker = broker;
  }

  /** Makes the next commit fail. */
  void failNext(Fault fault) {
    nextCommit = fault;
    isDeadly = false;
  }

  /** Makes the next commit throw an error, which ends its thread. */
  void dieNext(Fault fault) {
    nextCommit = fault;
    isDeadly = true;
  }

  /** Ends the transaction whose commit failed {@link Fault#LATE}, if there is one. */
  void endLate(boolean takesEffect) {
    Held ending = late;
    late = null;
    if (ending != null) {
      ending.end(takesEffect);
    }
  }

  private boolean isLate(TopicName topic, LetterPosition position) {
    return late != null && late.topic.equals(topic) && late.taken.containsKey(position);
  }

  /** How many commits took effect. */
  int commits() {
    return commits;
  }

  private static DeadLetter letter(TopicName topic, long position, ObservedLetter found) {
    StoredMessage message = found.message();
    return new DeadLetter(
        new LetterPosition(position),
        topic,
        0,
        message == null ? new MsgId(0, position) : message.envelope().msgId(),
        found.why().reason(),
        found.why().attempt(),
        found.why().lastError(),
        message == null ? 0 : message.history().redrives(),
        message == null ? null : JobId.ofNote(message.history().lastRedrive()).orElse(null),
        message == null ? 0 : message.payload().size(),
        message == null ? null : message.envelope());
  }

  private static LetterContent content(TopicName topic, long position, ObservedLetter found) {
    StoredMessage message = found.message();
    return new LetterContent(
        letter(topic, position, found),
        message == null ? Payload.owning(new byte[0]) : message.payload(),
        message == null ? MessageHistory.NONE : message.history(),
        found.expiresAt(),
        message == null ? null : message.ttl(),
        message == null ? null : message.trace());
  }

  @Override
  public Map<TopicName, Map<Integer, Long>> counts() {
    throw new UnsupportedOperationException("nobody asks");
  }

  @Override
  public List<DeadLetter> browse(TopicName topic, int segment) {
    List<DeadLetter> letters = new ArrayList<>();
    broker
        .letterPositions(topic)
        .forEach((position, found) -> letters.add(letter(topic, position, found)));
    letters.removeIf(letter -> isLate(topic, letter.position()));
    return letters;
  }

  @Override
  public void requireResolved(TopicName topic, int segment) {
    if (late != null && late.topic.equals(topic)) {
      throw new UnavailableException("a transaction that holds letters is open");
    }
  }

  @Override
  public LetterPosition frontier() {
    return new LetterPosition(broker.frontier());
  }

  @Override
  public Optional<LetterContent> read(DeadLetter letter) {
    long position = letter.position().bits();
    return Optional.ofNullable(broker.letterPositions(letter.topic()).get(position))
        .map(found -> content(letter.topic(), position, found));
  }

  @Override
  public Transaction take(TopicName topic, int segment, Collection<LetterPosition> positions) {
    Map<LetterPosition, LetterContent> taken = new HashMap<>();
    for (LetterPosition position : positions) {
      LetterAddress address = new LetterAddress(topic, segment, position.bits());
      var found = broker.letterPositions(topic).get(position.bits());
      if (found != null && broker.holdLetter(address)) {
        taken.put(position, content(topic, position.bits(), found));
      }
    }
    return new Held(topic, segment, taken);
  }

  private final class Held implements Transaction {
    private final TopicName topic;
    private final int segment;
    private final Map<LetterPosition, LetterContent> taken;
    private final List<Runnable> staged = new ArrayList<>();

    Held(TopicName topic, int segment, Map<LetterPosition, LetterContent> taken) {
      this.topic = topic;
      this.segment = segment;
      this.taken = taken;
    }

    @Override
    public Map<LetterPosition, LetterContent> letters() {
      return taken;
    }

    private LetterAddress address(LetterPosition position) {
      if (!taken.containsKey(position)) {
        throw new IllegalStateException("not taken: " + position);
      }
      return new LetterAddress(topic, segment, position.bits());
    }

    @Override
    public void discard(LetterPosition position) {
      LetterAddress address = address(position);
      staged.add(() -> broker.endLetter(address));
    }

    @Override
    public void redrive(LetterPosition position, ShardId shard, StoredMessage message) {
      discard(position);
      staged.add(() -> broker.putMessage(shard, message));
    }

    @Override
    public void commit() {
      Fault fault = nextCommit;
      nextCommit = null;
      if (fault == Fault.LATE) {
        late = this;
      } else {
        end(fault != Fault.BEFORE);
      }
      if (fault != null && isDeadly) {
        throw new OutOfMemoryError("on request, " + fault);
      }
      if (fault != null) {
        throw new UnavailableException("a commit failed on request, " + fault);
      }
    }

    private void end(boolean takesEffect) {
      if (takesEffect) {
        staged.forEach(Runnable::run);
        commits++;
      }
      staged.clear();
      release();
    }

    private void release() {
      taken.keySet().forEach(position -> broker.releaseLetter(address(position)));
    }

    @Override
    public void close() {
      if (late != this) {
        release();
      }
    }
  }
}
