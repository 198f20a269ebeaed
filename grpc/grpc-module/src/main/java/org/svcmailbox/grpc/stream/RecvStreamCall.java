package org.svcmailbox.grpc.stream;

import io.grpc.Context;
import io.grpc.Deadline;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.svcmailbox.core.delivery.RecvOutcome.LeasedMessage;
import org.svcmailbox.core.delivery.Refusal;
import org.svcmailbox.core.delivery.SettleRequest;
import org.svcmailbox.core.problem.SchemaException;
import org.svcmailbox.core.request.CallBatch;
import org.svcmailbox.core.stream.Pause;
import org.svcmailbox.core.stream.StreamEnd;
import org.svcmailbox.core.stream.StreamOutput;
import org.svcmailbox.core.stream.StreamRequest;
import org.svcmailbox.core.stream.StreamService;
import org.svcmailbox.core.stream.StreamService.Door;
import org.svcmailbox.core.stream.StreamService.OpenStream;
import org.svcmailbox.grpc.message.KnownFields;
import org.svcmailbox.grpc.message.SettleMessages;
import org.svcmailbox.grpc.message.StreamMessages;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.Done;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.Settle;

/**
 * A RecvStream: deliveries go out within the client's credit, and settlements come in. After the
 * server's Goodbye the client may still settle, until it closes its side.
 */
public final class RecvStreamCall extends ReadCall<RecvCommand, RecvEvent> implements StreamOutput {
  /** Commands are small, and asking for each costs a turn of the connection's thread. */
  private static final int AHEAD = 4;

  /** How long before its deadline a call says Goodbye. */
  private static final Duration BEFORE_DEADLINE = Duration.ofSeconds(1);

  /** How long settlements may follow the Goodbye. */
  private static final Duration LAST_SETTLEMENTS = Duration.ofSeconds(30);

  private final StreamService streams;
  private final Round round;
  private volatile @Nullable OpenStream stream;
  private @Nullable PayloadChunks chunks;
  private @Nullable RecvEvent goodbye;
  private boolean isEnded;

  private RecvStreamCall(
      ServerCallStreamObserver<RecvEvent> client, StreamContext context, StreamService streams) {
    super(client, context, AHEAD);
    this.streams = streams;
    this.round = new Round(context.span());
  }

  /** Begins a call, on the call's own thread. */
  public static StreamObserver<RecvCommand> begin(
      ServerCallStreamObserver<RecvEvent> client, StreamContext context, StreamService streams) {
    RecvStreamCall call = new RecvStreamCall(client, context, streams);
    call.begin(() -> {});
    return call;
  }

  @Override
  void gone() {
    OpenStream open = stream;
    if (open != null) {
      open.cut();
    }
  }

  @Override
  void finish() {
    OpenStream open = stream;
    if (open != null) {
      open.close();
    }
    synchronized (this) {
      if (isEnded && goodbye == null) {
        writer.complete();
      }
    }
  }

  @Override
  void accept(RecvCommand command) {
    KnownFields.check(command);
    OpenStream open = stream;
    switch (command.getIsCase()) {
      case OPEN -> open(command.getOpen());
      case CREDIT -> credit(required(open), command.getCredit());
      case SETTLE -> {
        OpenStream unused = required(open);
        settle(command.getSettle());
      }
      case IS_NOT_SET -> throw new SchemaException("is", "must be open, credit or settle");
    }
  }

  private static OpenStream required(@Nullable OpenStream open) {
    if (open == null) {
      throw new SchemaException("open", "must be the first command");
    }
    return open;
  }

  private void open(Open message) {
    if (stream != null) {
      throw new SchemaException("open", "must be the first command and no other");
    }
    StreamRequest request = StreamMessages.checked(message, context.settings());
    Deadline deadline = Context.current().getDeadline();
    StreamRequest limited = deadline == null ? request : request.lasting(left(deadline));
    OpenStream open = streams.open(context.caller(), limited, Door.GRPC, this);
    stream = open;
    writer.now(StreamMessages.opened(open.id(), limited));
    context.opened().run();
    if (client.isCancelled()) {
      open.cut();
    } else {
      turn(open::ready);
    }
  }

  private static Duration left(Deadline deadline) {
    Duration left = Duration.ofNanos(deadline.timeRemaining(TimeUnit.NANOSECONDS));
    Duration until = left.minus(BEFORE_DEADLINE);
    return until.isNegative() ? Duration.ZERO : until;
  }

  private static void credit(OpenStream open, Credit credit) {
    KnownFields.check(credit);
    open.credit(Integer.toUnsignedLong(credit.getMessages()), credit.getBytes());
  }

  private void settle(Settle settle) {
    List<SettleRequest> requests = SettleMessages.checked(settle, context.settings());
    long id = settle.getId();
    unanswered.add(id, requests.size(), 0);
    CompletionStage<Void> unused =
        CallBatch.of(requests, this::settled)
            .thenAccept(batch -> writer.later(() -> write(id, batch)));
  }

  private CompletionStage<Done> settled(SettleRequest request) {
    return context
        .mailbox()
        .settle(context.caller(), request)
        .thenApply(outcome -> SettleMessages.done(request.msgId(), outcome));
  }

  private void write(long id, CallBatch<Done> batch) {
    writer.now(
        RecvEvent.newBuilder()
            .setSettled(
                SettleMessages.settled(
                        batch, failure -> context.refusals().status(failure, context.call()))
                    .toBuilder()
                    .setId(id))
            .build());
    answered(id);
  }

  @Override
  public void onCompleted() {
    if (stream == null) {
      fail(new SchemaException("open", "must be the first command"));
    } else {
      halfClose();
    }
  }

  @Override
  void writable() {
    writeChunks();
    super.writable();
    OpenStream open = stream;
    if (open != null && isReady()) {
      turn(open::ready);
    }
  }

  private synchronized void writeChunks() {
    PayloadChunks left = chunks;
    while (left != null && writer.isReady()) {
      writer.now(left.next());
      left = left.isWritten() ? null : left;
    }
    chunks = left;
    if (left == null && goodbye != null) {
      sayGoodbye(goodbye);
    }
  }

  @Override
  public void run(Runnable turn) {
    context.threads().execute(() -> turn(turn));
  }

  private void turn(Runnable turn) {
    turn.run();
    round.end();
  }

  @Override
  public synchronized boolean isReady() {
    return chunks == null && writer.isReady();
  }

  @Override
  public void message(long number, LeasedMessage leased) {
    round.add(leased);
    int size = leased.message().payload().size();
    int chunk = context.settings().request().streamChunk();
    if (size <= chunk) {
      writer.now(StreamMessages.delivery(number, leased));
      return;
    }
    writer.now(StreamMessages.chunkedDelivery(number, leased));
    synchronized (this) {
      chunks = new PayloadChunks(leased.message().payload().bytes(), chunk);
    }
    writeChunks();
  }

  @Override
  public void heartbeat(int unsettled, @Nullable Pause paused) {
    writer.now(StreamMessages.heartbeat(unsettled, paused));
  }

  @Override
  public synchronized void end(StreamEnd end, @Nullable Refusal why) {
    isEnded = true;
    RecvEvent event = StreamMessages.goodbye(end, why);
    if (end == StreamEnd.SLOW || end == StreamEnd.RESUMED) {
      writer.now(event);
      writer.complete();
    } else if (chunks == null) {
      sayGoodbye(event);
    } else {
      goodbye = event;
    }
  }

  private void sayGoodbye(RecvEvent event) {
    goodbye = null;
    writer.now(event);
    if (isDone()) {
      writer.complete();
    } else {
      CompletableFuture<Void> unused =
          CompletableFuture.runAsync(
              writer::complete,
              CompletableFuture.delayedExecutor(
                  LAST_SETTLEMENTS.toMillis(), TimeUnit.MILLISECONDS, context.threads()));
    }
  }
}
