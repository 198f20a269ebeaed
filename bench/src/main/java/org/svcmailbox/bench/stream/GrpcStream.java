package org.svcmailbox.bench.stream;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.proto.v1.Ack;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.MailboxGrpc.MailboxStub;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Settle;
import org.svcmailbox.proto.v1.SettleOutcome;

/** A RecvStream that settles within the stream. Its listeners run on a thread of the connection. */
final class GrpcStream implements ClientResponseObserver<RecvCommand, RecvEvent> {
  private static final int VISIBILITY_MILLIS = 60_000;
  private static final long ENDLESS_BYTES = 1L << 40;

  private final Consumer<Received> received;
  private final IntConsumer settled;
  private final Runnable opened;
  private @Nullable ClientCallStreamObserver<RecvCommand> commands;
  private boolean readsNothing;
  private long settles;

  /**
   * @param received gets each message
   * @param settled gets the number of settlements that were answered together
   * @param opened runs when the service has opened the stream
   */
  GrpcStream(Consumer<Received> received, IntConsumer settled, Runnable opened) {
    this.received = received;
    this.settled = settled;
    this.opened = opened;
  }

  /** A stream whose client takes nothing of what comes. */
  static GrpcStream stalled() {
    GrpcStream stream = new GrpcStream(message -> {}, settled -> {}, () -> {});
    stream.readsNothing = true;
    return stream;
  }

  /** Opens the stream and asks for as many messages as its window has. */
  synchronized void open(MailboxStub mailbox, String topic, int window, long windowBytes) {
    var unused = mailbox.recvStream(this);
    say(
        RecvCommand.newBuilder()
            .setOpen(
                Open.newBuilder()
                    .setTopic(topic)
                    .setVisibilityMs(VISIBILITY_MILLIS)
                    .setWindow(window)
                    .setWindowBytes(windowBytes))
            .build());
    credit(window);
  }

  @Override
  public void beforeStart(ClientCallStreamObserver<RecvCommand> stream) {
    commands = stream;
    if (readsNothing) {
      stream.disableAutoRequestWithInitial(0);
    }
  }

  /** Acknowledges, and asks for as many again. */
  synchronized void ack(List<Ack> acks) {
    say(
        RecvCommand.newBuilder()
            .setSettle(Settle.newBuilder().setId(++settles).addAllAcks(acks))
            .build());
    credit(acks.size());
  }

  private void credit(int messages) {
    say(
        RecvCommand.newBuilder()
            .setCredit(Credit.newBuilder().setMessages(messages).setBytes(ENDLESS_BYTES))
            .build());
  }

  private void say(RecvCommand command) {
    Objects.requireNonNull(commands).onNext(command);
  }

  @Override
  public void onNext(RecvEvent event) {
    switch (event.getIsCase()) {
      case OPENED -> opened.run();
      case DELIVERY -> received.accept(event.getDelivery().getMessage());
      case SETTLED -> {
        event.getSettled().getOutcomesList().forEach(GrpcStream::requireDone);
        settled.accept(event.getSettled().getOutcomesCount());
      }
      case GOODBYE, CHUNK, IS_NOT_SET -> throw new IllegalStateException("unexpected " + event);
      case HEARTBEAT -> {}
    }
  }

  private static void requireDone(SettleOutcome outcome) {
    if (!outcome.hasDone()) {
      throw new IllegalStateException("refused: " + outcome);
    }
  }

  /** Names a received message to the service. */
  static Ack ackOf(Received message) {
    return Ack.newBuilder()
        .setMsgId(message.getEnvelope().getMsgId())
        .setReceipt(message.getReceipt())
        .build();
  }

  /** Ends the stream without a word. */
  synchronized void cancel() {
    Objects.requireNonNull(commands).cancel("the turn is over", null);
  }

  @Override
  public void onError(Throwable failure) {
    // A turn that misses its messages fails by itself.
  }

  @Override
  public void onCompleted() {}
}
