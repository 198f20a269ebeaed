package org.svcmailbox.core.mailbox;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.svcmailbox.core.bounds.StreamWindow;
import org.svcmailbox.core.capability.Caller;
import org.svcmailbox.core.delivery.MailboxService.PendingRecv;
import org.svcmailbox.core.delivery.RecvRequest;
import org.svcmailbox.core.delivery.SettleOutcome;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.envelope.TopicName;
import org.svcmailbox.core.stream.StreamPorts;
import org.svcmailbox.core.topic.TopicDirectory;

/** The mailbox, as streams receive from it and settle with it. Any thread. */
final class StreamSource implements StreamPorts {
  private final IntakeGate gate;
  private final RecvIntake recvs;
  private final SettleIntake settlements;
  private final TopicDirectory topics;
  private final Consumer<Caller> rates;

  StreamSource(
      IntakeGate gate,
      RecvIntake recvs,
      SettleIntake settlements,
      TopicDirectory topics,
      Consumer<Caller> rates) {
    this.gate = gate;
    this.recvs = recvs;
    this.settlements = settlements;
    this.topics = topics;
    this.rates = rates;
  }

  @Override
  public void check(RecvRequest request) {
    recvs.check(request);
  }

  @Override
  public PendingRecv recv(Caller caller, RecvRequest request, StreamWindow window) {
    return recvs.recv(caller, request, window);
  }

  @Override
  public void settle(Caller caller, SettleRequest request) {
    CompletionStage<SettleOutcome> unused = settlements.settle(caller, request);
  }

  @Override
  public void countCall(Caller caller) {
    rates.accept(caller);
  }

  @Override
  public Standing standing(TopicName topic) {
    if (topics.find(topic).isEmpty()) {
      return Standing.GONE;
    }
    return topics.isPaused(topic) ? Standing.PAUSED : Standing.SERVED;
  }

  @Override
  public void later(Duration time, Runnable task) {
    CompletableFuture.delayedExecutor(time.toNanos(), TimeUnit.NANOSECONDS, Runnable::run)
        .execute(task);
  }

  @Override
  public boolean isDraining() {
    return gate.isDraining();
  }
}
