package org.svcmailbox.ejb.broker;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.batch.WorkerId;
import org.svcmailbox.core.capability.SampleCallers;
import org.svcmailbox.core.delivery.RecvOutcome;
import org.svcmailbox.core.delivery.RecvOutcome.Delivered;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SendOutcome;
import org.svcmailbox.core.delivery.SendOutcome.Accepted;
import org.svcmailbox.core.delivery.SettleOutcome.Done;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.Envelope;
import org.svcmailbox.core.mailbox.SampleMailbox;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.concurrent.OwnThread;

/**
 * A client that sends and one that receives and acknowledges at each of several nodes, while their
 * groups move. Each message is acknowledged once, and those of a shard in the order of its ledger.
 */
final class MovingLoad {
  private static final int MESSAGES = 1_600;
  private static final int BURST = 16;
  private static final Duration LONG = Duration.ofMinutes(10);
  private static final Duration WAIT = Duration.ofMillis(50);
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Random random = new Random(1);
  private final List<MailboxOnArtemis> nodes;
  private final AtomicIntegerArray owners;
  private final AtomicLongArray acknowledged;
  private final AtomicInteger sent = new AtomicInteger();
  private final AtomicInteger acks = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicBoolean isEnding = new AtomicBoolean();
  private final AtomicReference<@Nullable String> wrong = new AtomicReference<>();
  private final List<CompletableFuture<Void>> clients = new ArrayList<>();

  MovingLoad(List<MailboxOnArtemis> nodes, int groups, int shards) {
    this.nodes = nodes;
    this.owners = new AtomicIntegerArray(groups);
    this.acknowledged = new AtomicLongArray(shards);
  }

  /** Gives all groups to the first node, and begins to send and receive. */
  void begin() {
    for (int group = 0; group < owners.length(); group++) {
      take(group, 0);
    }
    clients.add(CompletableFuture.runAsync(this::send, OwnThread.EXECUTOR));
    nodes.forEach(
        node -> clients.add(CompletableFuture.runAsync(() -> receive(node), OwnThread.EXECUTOR)));
  }

  private void take(int group, int node) {
    WorkerId id = WorkerId.of(group);
    SampleMailbox.take(nodes.get(node).mailbox(), id);
    awaitHeld(group, node);
  }

  private void awaitHeld(int group, int node) {
    Deadline.in(PATIENCE)
        .await(
            () -> SampleMailbox.holds(nodes.get(node).mailbox(), WorkerId.of(group)),
            () -> "group " + group + " at node " + node);
    owners.set(group, node);
  }

  /** Moves a group to the next node, which waits for it already or not. */
  void move(int group) {
    int from = owners.get(group);
    int to = (from + 1) % nodes.size();
    WorkerId id = WorkerId.of(group);
    if (group % 2 == 0) {
      SampleMailbox.take(nodes.get(to).mailbox(), id);
      SampleMailbox.giveAway(nodes.get(from).mailbox(), id);
      awaitHeld(group, to);
    } else {
      SampleMailbox.giveAway(nodes.get(from).mailbox(), id);
      take(group, to);
    }
  }

  private void send() {
    for (int i = 0; i < MESSAGES && wrong.get() == null; i += BURST) {
      List<String> keys = IntStream.range(i, i + BURST).mapToObj(one -> "m" + one).toList();
      int at = random.nextInt(nodes.size());
      while (!keys.isEmpty()) {
        keys = send(nodes.get(at), keys);
        at = (at + 1) % nodes.size();
      }
    }
  }

  /** Sends all at once; returns those that were refused. */
  private List<String> send(MailboxOnArtemis node, List<String> keys) {
    List<CompletionStage<SendOutcome>> all = keys.stream().map(node::submit).toList();
    List<String> refusals = new ArrayList<>();
    for (int i = 0; i < keys.size(); i++) {
      if (!(all.get(i).toCompletableFuture().join() instanceof Accepted accepted)) {
        refusals.add(keys.get(i));
      } else if (accepted.duplicate()) {
        fail("a refused SEND was taken: " + keys.get(i));
      } else {
        sent.incrementAndGet();
      }
    }
    refused.addAndGet(refusals.size());
    return refusals;
  }

  private void receive(MailboxOnArtemis node) {
    RecvRequest request =
        new RecvRequest(MailboxOnArtemis.TOPIC, LONG, BURST, Long.MAX_VALUE, WAIT, null);
    while (!isEnding.get() && wrong.get() == null) {
      RecvOutcome outcome =
          node.mailbox()
              .recv(SampleCallers.OPERATOR, request)
              .outcome()
              .toCompletableFuture()
              .join();
      if (outcome instanceof Delivered delivered) {
        delivered.messages().stream()
            .map(one -> acknowledge(node, one))
            .toList()
            .forEach(CompletableFuture::join);
      }
    }
  }

  /** The answer is noted on the worker's thread, so before the group may go away. */
  private CompletableFuture<Void> acknowledge(MailboxOnArtemis node, LeasedMessage leased) {
    Envelope envelope = leased.message().envelope();
    SettleRequest request = new SettleRequest.Ack(envelope.msgId(), leased.receipt());
    return node.mailbox()
        .settle(SampleCallers.OPERATOR, request)
        .thenAccept(
            outcome -> {
              if (outcome instanceof Done) {
                acknowledged(envelope);
              } else {
                refused.incrementAndGet();
              }
            })
        .toCompletableFuture();
  }

  private void acknowledged(Envelope envelope) {
    acks.incrementAndGet();
    long before = acknowledged.getAndSet(envelope.shard(), envelope.seq());
    if (before + 1 != envelope.seq()) {
      fail("shard %d: %d came after %d".formatted(envelope.shard(), envelope.seq(), before));
    }
  }

  private void fail(String why) {
    wrong.compareAndSet(null, why);
  }

  /** Whether everything is sent and acknowledged, or something is wrong. */
  boolean isOver() {
    return acks.get() >= MESSAGES || wrong.get() != null;
  }

  /** Ends the clients, and requires that nothing went wrong. */
  void end() {
    isEnding.set(true);
    clients.forEach(CompletableFuture::join);
    assertTrue(wrong.get() == null, () -> wrong.get() + "; " + this);
  }

  int sent() {
    return sent.get();
  }

  /** Calls that met a group which was away or on its way. */
  int refused() {
    return refused.get();
  }

  @Override
  public String toString() {
    return sent + " sent, " + acks + " acknowledged, " + refused + " refused";
  }
}
