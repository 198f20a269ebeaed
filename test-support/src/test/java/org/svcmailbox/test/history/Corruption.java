package org.svcmailbox.test.history;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.svcmailbox.test.history.Event.Accepted;
import org.svcmailbox.test.history.Event.Handed;
import org.svcmailbox.test.history.Event.Recv;
import org.svcmailbox.test.history.Event.Send;
import org.svcmailbox.test.history.Event.Settle;
import org.svcmailbox.test.history.Event.ShardPlace;
import org.svcmailbox.test.history.Event.Verb;
import org.svcmailbox.test.history.Violation.Kind;

/** A way to make a correct history wrong, so that it certainly breaks one promise. */
enum Corruption {
  /** A message that was acknowledged was not. */
  LOSE(Kind.LOST) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickAck(history, random)
          .map(ack -> without(history, event -> isAckOf(event, ack.msgId())));
    }
  },
  /** A message comes back after its ACK. */
  DOUBLE(Kind.AFTER_ACK) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickAck(history, random)
          .flatMap(ack -> firstDelivery(history, ack.msgId()))
          .map(one -> with(history, recv(one.recv(), one.handed(), end(history))));
    }
  },
  /** A message nobody sent. */
  INVENT(Kind.INVENTED) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(history, random, one -> true)
          .map(
              one -> recv(one.recv(), new Handed("new", "nobody", "#", 1, "r", null), end(history)))
          .map(invented -> with(history, invented));
    }
  },
  /** A message with other bytes. */
  ALTER(Kind.INVENTED) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(history, random, one -> true)
          .map(one -> redeliver(history, one, h -> altered(h, h.msgId(), h.attempt(), "#other")));
    }
  },
  /** A duplicate is answered with another id than its first. */
  MISNAME(Kind.DUPLICATE) {
    @Override
    Optional<History> apply(History history, Random random) {
      HistoryIndex index = new HistoryIndex(history);
      return pick(
              only(history, Send.class).stream()
                  .filter(send -> send.accepted() != null && send.accepted().duplicate())
                  .filter(send -> answers(index, send) > 1)
                  .toList(),
              random)
          .map(send -> replace(history, send, answered(send, new Accepted("new", true))));
    }
  },
  /** A message is handed out while it is certainly leased. */
  SHARE(Kind.TWO_LEASES) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(history, random, one -> isQuietAfter(history, one))
          .map(one -> recv(one.recv(), next(one.handed()), one.span().returned() + 1))
          .map(second -> with(history, second));
    }
  },
  /** An attempt number jumps. */
  JUMP(Kind.ATTEMPT) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(history, random, one -> true)
          .map(one -> redeliver(history, one, h -> altered(h, h.msgId(), 1000, h.payloadHash())));
    }
  },
  /** An attempt number falls back. */
  FALL(Kind.ATTEMPT) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(
              history, random, one -> one.attempt() > 1 && isFirstAfterAll(history, one))
          .map(one -> redeliver(history, one, h -> altered(h, h.msgId(), 1, h.payloadHash())));
    }
  },
  /** A message is handed out before one in front of it. */
  OVERTAKE(Kind.ORDER) {
    @Override
    Optional<History> apply(History history, Random random) {
      return pickDelivery(history, random, one -> isFollowed(history, one))
          .map(one -> redeliver(history, one, Corruption::behindAll));
    }
  };

  private final Kind kind;

  Corruption(Kind kind) {
    this.kind = kind;
  }

  /** The violation that a checker must find. */
  Kind kind() {
    return kind;
  }

  /** The corrupted history; empty when there is nothing in it that can be corrupted so. */
  abstract Optional<History> apply(History history, Random random);

  private static Optional<Settle> pickAck(History history, Random random) {
    return pick(
        only(history, Settle.class).stream()
            .filter(settle -> settle.verb() == Verb.ACK && settle.outcome() == CallOutcome.OK)
            .toList(),
        random);
  }

  private static boolean isAckOf(Event event, String msgId) {
    return event instanceof Settle settle
        && settle.verb() == Verb.ACK
        && settle.msgId().equals(msgId);
  }

  private static Optional<RecordedDelivery> firstDelivery(History history, String msgId) {
    return new HistoryIndex(history).deliveries(msgId).stream().findFirst();
  }

  private static Optional<RecordedDelivery> pickDelivery(
      History history, Random random, Predicate<RecordedDelivery> wanted) {
    List<RecordedDelivery> all = new ArrayList<>();
    for (Recv recv : only(history, Recv.class)) {
      recv.handed().forEach(handed -> all.add(new RecordedDelivery(recv, handed)));
    }
    return pick(all.stream().filter(wanted).toList(), random);
  }

  private static long answers(HistoryIndex index, Send send) {
    return index.sends(send.key()).stream().filter(other -> other.accepted() != null).count();
  }

  private static Send answered(Send send, Accepted accepted) {
    return new Send(send.span(), send.outcome(), send.key(), send.payloadHash(), accepted);
  }

  /** Whether for a while after its answer nobody touches the message and nothing dies. */
  private static boolean isQuietAfter(History history, RecordedDelivery one) {
    CallSpan window = new CallSpan(one.span().invoked(), one.span().returned() + 3_000_000);
    return one.span().earliestEnd(one.visibility()) > window.returned()
        && history.crashes().stream().noneMatch(window::meets)
        && only(history, Settle.class).stream()
            .filter(settle -> settle.msgId().equals(one.msgId()))
            .noneMatch(settle -> settle.span().meets(window));
  }

  /** Whether attempt one was seen before this, with no crash and no unseen delivery anywhere. */
  private static boolean isFirstAfterAll(History history, RecordedDelivery one) {
    HistoryIndex index = new HistoryIndex(history);
    RecordedDelivery first = index.deliveries(one.msgId()).get(0);
    return first.attempt() == 1
        && !first.recv().equals(one.recv())
        && !index.lostLeasesIn(first.span().hull(one.span()));
  }

  /** Whether a later message of the topic certainly comes after this one, before any crash. */
  private static boolean isFollowed(History history, RecordedDelivery one) {
    HistoryIndex index = new HistoryIndex(history);
    return one.attempt() == 1
        && one.handed().place() != null
        && index.deliveries().values().stream()
            .map(all -> all.get(0))
            .filter(other -> other.attempt() == 1 && other.handed().place() != null)
            .filter(other -> other.recv().topic().equals(one.recv().topic()))
            .filter(other -> one.span().before(other.span()))
            .filter(other -> !index.lostLeasesIn(one.span().hull(other.span())))
            .anyMatch(other -> !index.mayHaveBeenHidden(other, index.life(other.span().invoked())));
  }

  private static Handed behindAll(Handed h) {
    ShardPlace last = new ShardPlace(0, Long.MAX_VALUE);
    return new Handed(h.msgId(), h.idemKey(), h.payloadHash(), h.attempt(), h.receipt(), last);
  }

  private static Handed next(Handed h) {
    return new Handed(h.msgId(), h.idemKey(), h.payloadHash(), h.attempt() + 1, "second", null);
  }

  private static Handed altered(Handed h, String id, int attempt, String hash) {
    return new Handed(id, h.idemKey(), hash, attempt, h.receipt(), h.place());
  }

  private static Recv recv(Recv like, Handed handed, long from) {
    CallSpan span = new CallSpan(from, from + 1);
    return new Recv(span, CallOutcome.OK, like.topic(), Duration.ofSeconds(1), List.of(handed));
  }

  private static History redeliver(
      History history, RecordedDelivery one, UnaryOperator<Handed> change) {
    Recv recv = one.recv();
    List<Handed> handed =
        recv.handed().stream().map(h -> h.equals(one.handed()) ? change.apply(h) : h).toList();
    return replace(
        history,
        recv,
        new Recv(recv.span(), recv.outcome(), recv.topic(), recv.visibility(), handed));
  }

  private static long end(History history) {
    return 1 + history.events().stream().mapToLong(e -> e.span().returned()).max().orElseThrow();
  }

  private static History with(History history, Event event) {
    List<Event> events = new ArrayList<>(history.events());
    events.add(event);
    return new History(events, history.crashes(), history.losses());
  }

  private static History without(History history, Predicate<Event> unwanted) {
    return new History(
        history.events().stream().filter(unwanted.negate()).toList(),
        history.crashes(),
        history.losses());
  }

  private static History replace(History history, Event old, Event event) {
    return with(without(history, one -> one.equals(old)), event);
  }

  private static <E extends Event> List<E> only(History history, Class<E> kind) {
    return history.events().stream().filter(kind::isInstance).map(kind::cast).toList();
  }

  private static <T> Optional<T> pick(List<T> all, Random random) {
    return all.isEmpty() ? Optional.empty() : Optional.of(all.get(random.nextInt(all.size())));
  }
}
