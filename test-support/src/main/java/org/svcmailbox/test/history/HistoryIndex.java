package org.svcmailbox.test.history;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toList;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.MessageKey;
import org.svcmailbox.test.history.Event.Recv;
import org.svcmailbox.test.history.Event.Send;
import org.svcmailbox.test.history.Event.Settle;
import org.svcmailbox.test.history.Event.Verb;

/** A history by key and by message, so that each check reads it in one pass. */
final class HistoryIndex {
  private final Map<MessageKey, List<Send>> sends;
  private final Map<String, List<RecordedDelivery>> deliveries;
  private final Map<String, List<Settle>> settles;
  private final Map<String, List<Recv>> hidden;
  private final Map<String, List<Recv>> unanswered;
  private final List<CallSpan> crashes;

  /** When leases ended early, by crashes and otherwise. */
  private final List<CallSpan> losses;

  HistoryIndex(History history) {
    crashes = history.crashes();
    losses = Stream.of(crashes, history.losses()).flatMap(List::stream).toList();
    sends = group(only(history, Send.class), Send::key);
    settles = group(only(history, Settle.class), Settle::msgId);
    List<Recv> recvs = only(history, Recv.class);
    deliveries = group(deliveries(recvs), RecordedDelivery::msgId);
    hidden = group(recvs.stream().filter(this::canHide).toList(), Recv::topic);
    unanswered =
        group(
            recvs.stream().filter(recv -> recv.outcome() == CallOutcome.UNKNOWN).toList(),
            Recv::topic);
  }

  /** Every SEND by its key, in the order of invocation. */
  Map<MessageKey, List<Send>> sends() {
    return sends;
  }

  List<Send> sends(MessageKey key) {
    return sends.getOrDefault(key, List.of());
  }

  /** Every message that was received, with its deliveries in the order of their answers. */
  Map<String, List<RecordedDelivery>> deliveries() {
    return deliveries;
  }

  List<RecordedDelivery> deliveries(String msgId) {
    return deliveries.getOrDefault(msgId, List.of());
  }

  List<Settle> settles(String msgId) {
    return settles.getOrDefault(msgId, List.of());
  }

  /** Whether an ACK of the message that was not refused had begun by {@code moment}. */
  boolean canBeAcknowledgedBy(String msgId, long moment) {
    return settles(msgId).stream()
        .filter(settle -> settle.verb() == Verb.ACK && settle.outcome() != CallOutcome.FAIL)
        .anyMatch(ack -> ack.span().invoked() <= moment);
  }

  /** The topic of every message that certainly exists or existed. */
  Map<String, String> topicsOfMessages() {
    Map<String, String> topics = new LinkedHashMap<>();
    sends.values().forEach(all -> all.forEach(send -> addAccepted(topics, send)));
    deliveries.forEach((id, all) -> topics.putIfAbsent(id, all.get(0).recv().topic()));
    return topics;
  }

  /** The ids a key's SENDs were answered with. */
  Set<String> answeredIds(MessageKey key) {
    Set<String> ids = new HashSet<>();
    for (Send send : sends(key)) {
      Accepted accepted = send.accepted();
      if (accepted != null) {
        ids.add(accepted.msgId());
      }
    }
    return ids;
  }

  /** How many deliveries nobody saw can have been made in a topic between two moments. */
  long hiddenDeliveries(String topic, long from, long to) {
    return hidden.getOrDefault(topic, List.of()).stream()
        .filter(recv -> recv.span().invoked() <= to && lastEffect(recv) >= from)
        .count();
  }

  /**
   * Whether the message may have been in an answer that nobody got, after it was sent and before
   * {@code delivery}, in {@code firstLife} of the server or later. It may then have returned
   * without costing an attempt.
   */
  boolean mayHaveBeenHidden(RecordedDelivery delivery, long firstLife) {
    long sent =
        sends(delivery.key()).stream()
            .mapToLong(send -> send.span().invoked())
            .min()
            .orElse(Long.MIN_VALUE);
    return unanswered.getOrDefault(delivery.recv().topic(), List.of()).stream()
        .filter(recv -> life(recv.span().returned()) >= firstLife)
        .anyMatch(
            recv ->
                recv.span().returned() >= sent
                    && recv.span().invoked() <= delivery.span().returned());
  }

  /** How often the server had died by {@code moment}. */
  long life(long moment) {
    return crashes.stream().filter(crash -> crash.returned() <= moment).count();
  }

  /** Whether a process died at some moment of {@code span}. */
  boolean crashedIn(CallSpan span) {
    return crashes.stream().anyMatch(span::meets);
  }

  /** Whether leases ended early at some moment of {@code span}. */
  boolean lostLeasesIn(CallSpan span) {
    return losses.stream().anyMatch(span::meets);
  }

  /** When leases may first have ended early after {@code moment}; never is the largest number. */
  long nextLoss(long moment) {
    return losses.stream()
        .filter(loss -> loss.returned() >= moment)
        .mapToLong(CallSpan::invoked)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  /**
   * An unanswered RECV spends an attempt only if its lease can run out before the process dies: a
   * crash gives the message back as it was.
   */
  private boolean canHide(Recv recv) {
    return recv.outcome() == CallOutcome.UNKNOWN
        && recv.span().earliestEnd(recv.visibility()) < lastEffect(recv);
  }

  /** An unanswered call can still take effect after its caller gave up, until the process dies. */
  private long lastEffect(Recv recv) {
    return crashes.stream()
        .filter(crash -> crash.returned() >= recv.span().invoked())
        .mapToLong(CallSpan::returned)
        .min()
        .orElse(Long.MAX_VALUE);
  }

  private static void addAccepted(Map<String, String> topics, Send send) {
    Accepted accepted = send.accepted();
    if (accepted != null) {
      topics.putIfAbsent(accepted.msgId(), send.key().topic());
    }
  }

  private static List<RecordedDelivery> deliveries(List<Recv> recvs) {
    List<RecordedDelivery> all = new ArrayList<>();
    recvs.stream()
        .sorted(Comparator.comparingLong(recv -> recv.span().returned()))
        .forEach(recv -> recv.handed().forEach(one -> all.add(new RecordedDelivery(recv, one))));
    return all;
  }

  private static <E extends Event> List<E> only(History history, Class<E> kind) {
    return history.events().stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .sorted(Comparator.comparingLong(event -> event.span().invoked()))
        .toList();
  }

  private static <K, V> Map<K, List<V>> group(List<V> values, Function<V, K> key) {
    return values.stream().collect(groupingBy(key, HashMap::new, toList()));
  }
}
