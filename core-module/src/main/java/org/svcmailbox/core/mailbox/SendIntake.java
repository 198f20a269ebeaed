package org.svcmailbox.core.mailbox;

import static java.util.concurrent.CompletableFuture.completedFuture;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.capability.CapabilityId;
import org.svcmailbox.core.bounds.Limits;
import org.svcmailbox.core.broker.SourceLetter;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendRequest;
import org.svcmailbox.core.envelope.CorrId;
import org.svcmailbox.core.envelope.Digest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.envelope.HashChain;
import org.svcmailbox.core.envelope.MsgId;
import org.svcmailbox.core.envelope.Timestamps;
import org.svcmailbox.core.problem.FrameTooLargeException;
import org.svcmailbox.core.settings.MailboxSettings;
import org.svcmailbox.core.time.Ticker;
import org.svcmailbox.core.topic.ShardId;
import org.svcmailbox.core.topic.Topic;
import org.svcmailbox.core.topic.TopicDirectory;
import org.svcmailbox.core.worker.WorkerPool;
import org.svcmailbox.core.worker.send.Send;
import org.svcmailbox.core.worker.state.Command;
import org.svcmailbox.core.worker.state.Inbox;

/**
 * Hands SENDs to the workers of their shards. A SEND that is handed over counts as pending until
 * its worker takes it. All hashing happens here, on the caller's thread.
 */
final class SendIntake {
  private final MailboxSettings settings;
  private final IntakeGate gate;
  private final TopicDirectory topics;
  private final WorkerPool workers;
  private final Limits limits;
  private final Ticker ticker;
  private final InstantSource wall;

  SendIntake(
      MailboxSettings settings,
      IntakeGate gate,
      TopicDirectory topics,
      WorkerPool workers,
      Limits limits,
      Ticker ticker,
      InstantSource wall) {
    this.settings = settings;
    this.gate = gate;
    this.topics = topics;
    this.workers = workers;
    this.limits = limits;
    this.ticker = ticker;
    this.wall = wall;
  }

  CompletionStage<SendOutcome> send(Caller caller, SendRequest request) {
    CompletionStage<SendOutcome> outcome = take(caller, request);
    if (settings.amnesia().on()) {
      // The broker has its own copy, or the message was not accepted.
      outcome.whenComplete((answer, failure) -> request.payload().wipe());
    }
    return outcome;
  }

  private CompletionStage<SendOutcome> take(Caller caller, SendRequest request) {
    Optional<Refusal> refused = gate.refusal(caller, request);
    return refused.isPresent()
        ? completedFuture(refused.get())
        : accept(request, caller.capability().id(), null);
  }

  /** Sends a message that no client sent, made from a dead letter. */
  CompletionStage<SendOutcome> redrive(SendRequest request, SourceLetter origin) {
    return gate.isDraining() ? completedFuture(gate.stopping()) : accept(request, null, origin);
  }

  /**
   * Hands a message to the worker of its shard.
   *
   * @param sender the client's capability; null if no client sent the message
   * @param origin the dead letter to remove with it; null for a client's message
   */
  private CompletionStage<SendOutcome> accept(
      SendRequest request, @Nullable CapabilityId sender, @Nullable SourceLetter origin) {
    long since = ticker.nanos();
    SendOutcome refused = refusal(request, origin);
    if (refused != null) {
      return completedFuture(refused);
    }
    Topic topic = topics.require(request.topic());
    ShardId shard = topic.shardFor(request.idemKey(), request.shardKey());
    return limits
        .admit(request.payload().size(), shard, topic.settings().shardCapacity(), sender)
        .either(
            admitted -> {
              Envelope envelope = envelope(request, topic, shard);
              return handOver(
                  new Send(topic, shard, envelope, request, sender, origin, admitted), since);
            },
            CompletableFuture::completedFuture);
  }

  /** The reason to refuse a message before it is counted; null if there is none. */
  private @Nullable SendOutcome refusal(SendRequest request, @Nullable SourceLetter origin) {
    int maxFrame = settings.request().maxFrame();
    if (request.payload().size() > maxFrame) {
      throw new FrameTooLargeException("payload", maxFrame);
    }
    Digest claimed = request.payloadHash();
    if (claimed != null && !claimed.equals(request.payload().hash())) {
      return new SendOutcome.HashMismatch();
    }
    return origin == null ? limits.diskRefusal() : null;
  }

  private CompletionStage<SendOutcome> handOver(Send send, long since) {
    Inbox<Command> inbox = workers.inboxOf(send.shard());
    if (!inbox.offer(send)) {
      send.withdraw();
      return completedFuture(inbox.refuseFull());
    }
    return send.reply().thenApply(outcome -> sent(outcome, since));
  }

  /** Counts a SEND only if it put a message into a queue; a duplicate did not. */
  private SendOutcome sent(SendOutcome outcome, long since) {
    if (outcome instanceof SendOutcome.Accepted accepted && !accepted.duplicate()) {
      limits.workerMetrics().enqueued(since);
    }
    return outcome;
  }

  private Envelope envelope(SendRequest request, Topic topic, ShardId shard) {
    Instant ts = Timestamps.truncated(wall.instant());
    Digest claimed = request.payloadHash();
    Digest payloadHash = claimed != null ? claimed : request.payload().hash();
    return new Envelope(
        MsgId.create(shard.slot(), ts),
        topic.name(),
        ts,
        request.idemKey(),
        payloadHash,
        request.attrs(),
        request.corrId() != null ? request.corrId() : CorrId.random(),
        shard.index(),
        0,
        1,
        HashChain.of(topic.name(), ts, request.idemKey(), payloadHash, request.attrs()),
        request.sig());
  }
}
