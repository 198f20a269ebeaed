package org.svcmailbox.core.route;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.delivery.Refusal;

/**
 * A SEND or a settlement on its way to the node that serves its group. It looks at the map, asks,
 * and repeats while nothing was done. Its steps follow one another, on any thread.
 */
final class RoutedCall<T> {
  private final Router router;
  private final Terms<T> terms;
  private final long until;
  private final CompletableFuture<T> reply = new CompletableFuture<>();
  private int looks;

  /** The owner that the last look found. */
  private Owner asked = Owner.MOVING;

  /** Whether an attempt may have been carried out, whose answer was lost. */
  private boolean isInDoubt;

  /**
   * The differences between calls.
   *
   * @param local the call in this process
   * @param isRepeatable whether it is safe to repeat it after a lost answer
   * @param refused a refusal as an outcome
   * @param outcome the outcome of an answer that is not a refusal
   */
  record Terms<T>(
      int group,
      Caller caller,
      Supplier<CompletionStage<T>> local,
      PeerCall forwarded,
      boolean isRepeatable,
      Function<Refusal, T> refused,
      Function<PeerAnswer, T> outcome) {}

  private RoutedCall(Router router, Terms<T> terms) {
    this.router = router;
    this.terms = terms;
    this.until = router.ticker().nanos() + router.patience().toNanos();
  }

  static <T> CompletionStage<T> begin(Router router, Terms<T> terms) {
    RoutedCall<T> call = new RoutedCall<>(router, terms);
    call.look();
    return call.reply;
  }

  private void look() {
    Owner owner = next();
    asked = owner;
    if (owner instanceof Owner.Elsewhere elsewhere) {
      forward(elsewhere.node());
    } else if (owner instanceof Owner.Here) {
      here();
    } else {
      park(RouteRefusals.groupMoving());
    }
  }

  /** The owner, or its heir in turn with it: one of the two has the group. */
  private Owner next() {
    Owner owner = router.owners().of(terms.group());
    if (owner instanceof Owner.Elsewhere && owner.equals(asked)) {
      Owner heir = router.owners().heirOf(terms.group());
      return heir instanceof Owner.Elsewhere ? heir : owner;
    }
    return owner;
  }

  private void here() {
    CompletionStage<T> outcome;
    try {
      outcome = terms.local().get();
    } catch (RuntimeException e) {
      failed(e);
      return;
    }
    CompletionStage<T> unused =
        outcome.whenComplete(
            (done, failure) -> {
              if (failure != null) {
                failed(Router.unwrapped(failure));
              } else if (done instanceof Refusal refusal) {
                refusedFor(refusal);
              } else {
                boolean unusedAnswer = reply.complete(done);
              }
            });
  }

  private void forward(NodeView node) {
    CompletableFuture<Void> unused =
        router.forward(node, terms.caller(), terms.forwarded()).thenAccept(this::replied);
  }

  private void replied(PeerReply ended) {
    if (ended instanceof PeerReply.Answered answered
        && !(answered.answer() instanceof PeerAnswer.Unanswered)) {
      answered(answered.answer());
    } else if (ended instanceof PeerReply.Full) {
      refused(RouteRefusals.saturated());
    } else if (ended instanceof PeerReply.NotDone) {
      park(RouteRefusals.ownerUnreachable());
    } else if (terms.isRepeatable()) {
      isInDoubt = true;
      park(RouteRefusals.ownerLost());
    } else {
      end(RouteRefusals.ownerLost());
    }
  }

  private void answered(PeerAnswer answer) {
    if (answer instanceof PeerAnswer.Refused refused) {
      refusedFor(RouteRefusals.ofPeer(refused.refusal()));
    } else if (answer instanceof PeerAnswer.Thrown thrown) {
      failed(Router.exception(thrown));
    } else {
      boolean unused = reply.complete(terms.outcome().apply(answer));
    }
  }

  private void refusedFor(Refusal why) {
    if (RouteRefusals.isMoving(why)) {
      park(why);
    } else {
      refused(why);
    }
  }

  /** A refusal promises that nothing was done, which an earlier attempt may have made untrue. */
  private void refused(Refusal refusal) {
    end(isInDoubt ? RouteRefusals.ownerLost() : refusal);
  }

  private void failed(Throwable failure) {
    if (isInDoubt) {
      end(RouteRefusals.ownerLost());
    } else {
      boolean unused = reply.completeExceptionally(failure);
    }
  }

  private void end(Refusal refusal) {
    boolean unused = reply.complete(terms.refused().apply(refusal));
  }

  /** Looks again later; {@code why} is the answer if no time is left. */
  private void park(Refusal why) {
    boolean isOver = until - router.ticker().nanos() <= 0;
    int before = looks++;
    if (isOver || !router.parking().park(Router.untilNextLook(before), this::look)) {
      refused(why);
    }
  }
}
