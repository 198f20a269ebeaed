package org.svcmailbox.core.route;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.svcmailbox.core.bounds.CapacityLimit;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.cluster.NodeView;
import org.svcmailbox.core.cluster.Owner;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.problem.Problem;
import org.svcmailbox.core.time.Ticker;

/**
 * Has tasks carried out by the nodes that serve their groups, this one among them. It blocks its
 * caller, and returns when each group is done. Any thread.
 */
public final class GroupOwners implements MetricSource {
  /** The most calls at a time that ask other nodes. */
  static final int MOST = 16;

  private final Owners owners;
  private final GroupWorker here;
  private final PeerTransport transport;
  private final Duration patience;
  private final Ticker ticker;
  private final Runnable pause;
  private final CapacityLimit calls;

  /**
   * @param transport carries questions about groups
   * @param patience how long a call looks for the node that serves a group
   * @param pause waits a moment between two looks
   */
  public GroupOwners(
      Owners owners,
      GroupWorker here,
      PeerTransport transport,
      Duration patience,
      Ticker ticker,
      Runnable pause) {
    this.owners = owners;
    this.here = here;
    this.transport = transport;
    this.patience = patience;
    this.ticker = ticker;
    this.pause = pause;
    this.calls = new CapacityLimit("owner_calls", "too many calls ask other nodes", MOST, ticker);
  }

  /** The group of a routing slot. */
  public int groupOf(int slot) {
    return owners.groupOf(slot);
  }

  /**
   * Has a task carried out once for each group.
   *
   * @param took takes each node's result, on the caller's thread
   * @throws OwnerAwayException if a group has no owner for too long, or its owner's answer to a
   *     task that must not be repeated was lost
   * @throws org.svcmailbox.core.problem.SaturatedException if too many calls do so
   */
  public void ask(Caller caller, Set<Integer> groups, GroupTask task, Consumer<GroupResult> took) {
    boolean unused =
        calls.counted(
            () -> {
              new Round(caller, task, groups, took).run();
              return true;
            });
  }

  /** One task for some groups. */
  private final class Round {
    private final Caller caller;
    private final GroupTask task;
    private final Set<Integer> left;
    private final Consumer<GroupResult> took;
    private Refusal why = RouteRefusals.groupMoving();

    Round(Caller caller, GroupTask task, Set<Integer> groups, Consumer<GroupResult> took) {
      this.caller = caller;
      this.task = task;
      this.left = new TreeSet<>(groups);
      this.took = took;
    }

    void run() {
      long until = ticker.nanos() + patience.toNanos();
      look();
      while (!left.isEmpty()) {
        if (ticker.nanos() - until >= 0) {
          throw new OwnerAwayException(why);
        }
        pause.run();
        look();
      }
    }

    /** Asks each owner once; this process works while the others do. */
    private void look() {
      why = RouteRefusals.groupMoving();
      Set<Integer> own = new HashSet<>();
      Map<NodeView, Set<Integer>> elsewhere = new HashMap<>();
      for (int group : left) {
        Owner owner = owners.of(group);
        if (owner instanceof Owner.Elsewhere other) {
          elsewhere.computeIfAbsent(other.node(), none -> new HashSet<>()).add(group);
        } else if (owner instanceof Owner.Here) {
          own.add(group);
        }
      }
      List<CompletableFuture<byte[]>> answers = new ArrayList<>();
      elsewhere.forEach((node, groups) -> answers.add(send(node, groups)));
      List<RuntimeException> failures = new ArrayList<>();
      if (!own.isEmpty()) {
        attempt(failures, () -> done(here.carryOut(caller, own, task)));
      }
      answers.forEach(answer -> attempt(failures, () -> await(answer)));
      if (!failures.isEmpty()) {
        throw failures.get(0);
      }
    }

    /** A failure keeps no other node's result from being taken. */
    private static void attempt(List<RuntimeException> failures, Runnable take) {
      try {
        take.run();
      } catch (RuntimeException e) {
        failures.add(e);
      }
    }

    private CompletableFuture<byte[]> send(NodeView node, Set<Integer> groups) {
      ForwardedCall question =
          new ForwardedCall(
              caller.token(),
              caller.address(),
              PeerTransport.LONGEST,
              new PeerCall.Ask(groups, task));
      return transport
          .send(node.url(), PeerCodec.callFrame(List.of(PeerCodec.encode(question))))
          .toCompletableFuture();
    }

    private void await(CompletableFuture<byte[]> frame) {
      try {
        List<PeerAnswer> answers = PeerCodec.answers(frame.join());
        if (answers.size() == 1) {
          answered(answers.get(0));
        } else {
          lost();
        }
      } catch (MalformedFrameException e) {
        lost();
      } catch (CompletionException e) {
        if (e.getCause() instanceof PeerTransport.NotSentException) {
          why = RouteRefusals.ownerUnreachable();
        } else {
          lost();
        }
      }
    }

    private void lost() {
      why = RouteRefusals.ownerLost();
      if (task instanceof GroupTask.Change) {
        throw new OwnerAwayException(why);
      }
    }

    private void answered(PeerAnswer answer) {
      if (answer instanceof PeerAnswer.Told told) {
        done(told.result());
      } else if (answer instanceof PeerAnswer.Thrown thrown) {
        throw Router.exception(thrown);
      } else if (answer instanceof PeerAnswer.Refused refused) {
        refused(RouteRefusals.ofPeer(refused.refusal()));
      } else {
        lost();
      }
    }

    private void refused(Refusal refusal) {
      if (RouteRefusals.isMoving(refusal)) {
        why = refusal;
      } else if (refusal.problem() == Problem.E_SATURATED) {
        throw refusal.asSaturated();
      } else {
        throw new OwnerAwayException(refusal);
      }
    }

    private void done(GroupResult result) {
      left.removeAll(result.groups());
      took.accept(result);
    }
  }

  @Override
  public List<Metric> metrics() {
    return calls.metrics();
  }
}
