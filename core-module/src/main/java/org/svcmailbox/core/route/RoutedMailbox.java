package org.svcmailbox.core.route;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.svcmailbox.capability.Operation;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.capability.caveat.Denial;
import org.svcmailbox.core.cluster.Owners;
import org.svcmailbox.core.delivery.MailboxService;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.metrics.Distribution;
import org.svcmailbox.core.metrics.Metric;
import org.svcmailbox.core.metrics.MetricSource;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;

/**
 * The mailbox of a node among several: each call goes to the node that serves its group. Calls for
 * this process's groups reach its own mailbox. Any thread.
 */
public final class RoutedMailbox implements MailboxService, MetricSource {
  /** The interval between calls of {@link #tick}. */
  public static final Duration TICK = Duration.ofMillis(25);

  private final Router router;
  private final Function<TopicName, Topic> topics;

  /**
   * The parts that a routed mailbox uses.
   *
   * @param local the mailbox of this process
   * @param calls carries calls to other nodes
   * @param ready carries questions for topics with messages
   * @param topics finds a topic, or throws as {@link MailboxService#send}
   * @param patience how long a call looks for the node that serves its group
   */
  public record Ports(
      MailboxService local,
      Owners owners,
      PeerTransport calls,
      PeerTransport ready,
      Function<TopicName, Topic> topics,
      Ticker ticker,
      RandomGenerator random,
      Duration patience) {}

  public RoutedMailbox(Ports ports) {
    this.topics = ports.topics();
    this.router =
        new Router(
            ports.local(),
            ports.owners(),
            new Peers(ports.calls(), ports.ticker()),
            new ReadyPeers(ports.ready(), ports.ticker(), ports.random().nextLong()),
            new Parking(ports.ticker()),
            ports.ticker(),
            ports.random(),
            ports.patience());
  }

  /** Resumes calls that wait, and tries nodes that were not reached; returns how many calls. */
  public int tick() {
    return router.tick();
  }

  /** Has calls that look for their node end now, because this one stops. */
  public void end() {
    router.parking().end();
  }

  @Override
  public CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    Optional<Denial> denial = caller.sendDenial(Operation.SEND, request.topic(), request.idemKey());
    if (denial.isPresent()) {
      return completedFuture(Refusal.denied(denial.get()));
    }
    Topic topic = topics.apply(request.topic());
    int group = group(topic.shardFor(request.idemKey(), request.shardKey()));
    if (group != group(topic.shardFor(request.idemKey(), null))) {
      // The key would be unknown to the group that has it by its own hash.
      return completedFuture(RouteRefusals.notClustered());
    }
    return RoutedCall.begin(
        router,
        new RoutedCall.Terms<SendOutcome>(
            group,
            caller,
            () -> router.local().send(caller, request),
            new PeerCall.Send(request),
            /* isRepeatable= */ true,
            refusal -> refusal,
            answer -> ((PeerAnswer.Sent) answer).outcome()));
  }

  @Override
  public CompletionStage<SettleOutcome> settle(Caller caller, SettleRequest request) {
    return RoutedCall.begin(
        router,
        new RoutedCall.Terms<SettleOutcome>(
            router.groupOf(request.msgId().slot()),
            caller,
            () -> router.local().settle(caller, request),
            new PeerCall.Settle(request),
            request instanceof SettleRequest.Extend,
            refusal -> refusal,
            answer -> ((PeerAnswer.Settled) answer).outcome()));
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request) {
    Optional<Denial> denial = caller.denial(Operation.RECV, request.topic());
    if (denial.isPresent()) {
      return refused(Refusal.denied(denial.get()));
    }
    Topic topic = topics.apply(request.topic());
    Integer only = request.shard();
    if (only != null && only >= topic.state().liveShards()) {
      // It says what is wrong.
      return router.local().recv(caller, request);
    }
    List<ShardId> shards = only == null ? topic.shards() : List.of(topic.shard(only));
    return new RoutedRecv(
            router,
            caller,
            request,
            () -> shards.stream().map(shard -> router.ownerOf(shard.slot())).toList())
        .begin();
  }

  private int group(ShardId shard) {
    return router.groupOf(shard.slot());
  }

  private static PendingRecv refused(Refusal refusal) {
    CompletableFuture<RecvOutcome> outcome = completedFuture(refusal);
    return new PendingRecv() {
      @Override
      public CompletionStage<RecvOutcome> outcome() {
        return outcome;
      }

      @Override
      public void abandon() {
        // Nothing was begun.
      }
    };
  }

  @Override
  public List<Metric> metrics() {
    return Stream.of(router.peers().metrics(), router.ready().metrics(), router.parking().metrics())
        .flatMap(List::stream)
        .toList();
  }

  @Override
  public List<Distribution> distributions() {
    return router.peers().distributions();
  }
}
