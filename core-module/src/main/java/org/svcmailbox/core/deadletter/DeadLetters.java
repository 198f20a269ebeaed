package org.svcmailbox.core.deadletter;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.batch.StoredLedgers;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.store.CapabilityNames;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.NotFoundException;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;

/** Indexes and finds dead letters. Any thread, but only one may call {@link #reconcile}. */
public final class DeadLetters implements DeadLetterService, MetricSource {
  private static final Logger LOG = System.getLogger(DeadLetters.class.getName());

  private static final int REGROUPED_AT_ONCE = 200;

  /**
   * Letters with one id: a message can die again before the row of its former letter is removed.
   */
  private static final int MAX_ALIKE = 8;

  private final TopicDirectory topics;
  private final LetterIndex index;
  private final LetterQueues queues;
  private final LetterInbox inbox;
  private final Reconciler reconciler;
  private final LetterCheck check;
  private final CapabilityNames names;

  public DeadLetters(
      TopicDirectory topics,
      LetterIndex index,
      LetterQueues queues,
      StoredLedgers ledgers,
      CapabilityNames names) {
    this.topics = topics;
    this.index = index;
    this.queues = queues;
    this.inbox = new LetterInbox(index);
    this.reconciler = new Reconciler(topics, index, queues, inbox);
    this.check = new LetterCheck(ledgers);
    this.names = names;
  }

  /** Accepts letters whose transaction is on disk. Never blocks or throws. */
  public void died(Collection<DeadLetter> letters) {
    inbox.add(letters);
  }

  public void flush() {
    inbox.flush();
  }

  /** Removes a letter whose removal is on disk; on failure the reconciler does it later. */
  public void removed(TopicName topic, LetterPosition position) {
    try {
      index.remove(List.of(position));
    } catch (UnavailableException e) {
      LOG.log(Level.DEBUG, "a letter of " + topic + " is still in the index", e);
    }
  }

  /** Indexed letters with an id, newest first; a few have left their queue already. */
  public List<DeadLetter> find(MsgId msgId) {
    inbox.flush();
    return index.find(msgId, MAX_ALIKE);
  }

  /** A letter's content; empty if it has left its queue, or a transaction holds it. */
  public Optional<LetterContent> content(DeadLetter letter) {
    return queues.read(letter);
  }

  /** Compares index and queues for a bounded time; returns whether work is left. */
  public boolean reconcile() {
    return reconciler.step();
  }

  /** Recomputes some fingerprints that earlier rules made; returns how many. */
  public int regroup() {
    return index.regroup(REGROUPED_AT_ONCE);
  }

  /**
   * Checks that a filter finds every letter, which one by group may not.
   *
   * @throws UnavailableException while fingerprints of the topic are being recomputed
   */
  public void requireGrouped(TopicName topic, LetterFilter filter) {
    if (!filter.fingerprints().isEmpty()) {
      requireGrouped(topic);
    }
  }

  private void requireGrouped(TopicName topic) {
    if (index.isOutdated(topic)) {
      throw new UnavailableException("the error groups of " + topic + " are being recomputed");
    }
  }

  @Override
  public Page list(
      Caller caller, TopicName topic, LetterFilter filter, LetterPosition before, int limit) {
    require(caller, topic);
    requireGrouped(topic, filter);
    List<DeadLetter> found = index.page(topic, filter, before, limit + 1);
    if (found.size() <= limit) {
      return new Page(found, null);
    }
    List<DeadLetter> page = List.copyOf(found.subList(0, limit));
    return new Page(page, page.get(limit - 1).position());
  }

  @Override
  public List<LetterGroup> groups(Caller caller, TopicName topic, LetterFilter filter) {
    require(caller, topic);
    requireGrouped(topic);
    return index.groups(topic, filter, MAX_GROUPS);
  }

  @Override
  public CheckedLetter read(Caller caller, TopicName topic, MsgId msgId) {
    Topic read = require(caller, topic);
    return index
        .find(topic, msgId)
        .flatMap(queues::read)
        .map(content -> new CheckedLetter(content, check.of(read, content), names(content)))
        .orElseThrow(() -> new NotFoundException("no dead letter of " + topic + " is " + msgId));
  }

  private Map<String, String> names(LetterContent content) {
    return names.names(
        content.history().events().stream()
            .flatMap(event -> Stream.ofNullable(event.by()))
            .map(CapabilityId::nonce)
            .collect(Collectors.toSet()));
  }

  private Topic require(Caller caller, TopicName name) {
    caller.require(Operation.DLQ_VIEW, name);
    Topic topic = topics.existing(name);
    inbox.flush();
    return topic;
  }

  @Override
  public List<Metric> metrics() {
    return List.of(
        Family.BOUND_USED.of(inbox::size, "letter_inbox"),
        Family.BOUND_CAPACITY.of(() -> LetterInbox.CAPACITY, "letter_inbox"),
        Family.QUEUE_DROPPED_TOTAL.of(inbox::dropped, "letter_inbox"));
  }
}
