package org.svcmailbox.client.grpc;

import static java.util.Objects.requireNonNull;

import com.google.protobuf.Any;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Metadata;
import io.grpc.Server;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.protobuf.StatusProto;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.svcmailbox.client.verify.ReceivedEnvelope;
import org.svcmailbox.proto.v1.AckBatch;
import org.svcmailbox.proto.v1.Chunk;
import org.svcmailbox.proto.v1.Delivery;
import org.svcmailbox.proto.v1.Done;
import org.svcmailbox.proto.v1.ExtendBatch;
import org.svcmailbox.proto.v1.Goodbye;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.NackBatch;
import org.svcmailbox.proto.v1.Opened;
import org.svcmailbox.proto.v1.Problem;
import org.svcmailbox.proto.v1.Received;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.proto.v1.RecvRequest;
import org.svcmailbox.proto.v1.RecvResponse;
import org.svcmailbox.proto.v1.SendBatchRequest;
import org.svcmailbox.proto.v1.SendBatchResponse;
import org.svcmailbox.proto.v1.SendRequest;
import org.svcmailbox.proto.v1.Sent;
import org.svcmailbox.proto.v1.SettleOutcome;
import org.svcmailbox.proto.v1.Settled;

/** A gRPC door on a socket, whose answers a test gives. */
final class ScriptedDoor extends MailboxGrpc.MailboxImplBase implements AutoCloseable {
  static final String TOPIC = "orders";

  private static final Context.Key<Metadata> METADATA = Context.key("metadata");
  private static final Done DONE = Done.getDefaultInstance();

  final List<Metadata> calls = new CopyOnWriteArrayList<>();
  final List<Object> requests = new CopyOnWriteArrayList<>();
  volatile Function<SendRequest, Sent> onSend = send -> sent("id of " + send.getIdemKey());
  volatile Function<SendBatchRequest, SendBatchResponse> onBatch =
      batch -> {
        throw Status.UNIMPLEMENTED.asRuntimeException();
      };
  volatile Function<RecvRequest, RecvResponse> onRecv = recv -> RecvResponse.getDefaultInstance();
  volatile Function<Integer, Settled> onSettle = ScriptedDoor::done;

  /** Why streams are refused; OK for not. */
  volatile StatusRuntimeException refusal = Status.OK.asRuntimeException();

  private final BlockingQueue<Stream> streams = new LinkedBlockingQueue<>();
  private final Server server;

  ScriptedDoor() {
    this(builder -> builder);
  }

  /** A door whose server differs. */
  ScriptedDoor(UnaryOperator<NettyServerBuilder> change) {
    server =
        change
            .apply(
                NettyServerBuilder.forAddress(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))
            .permitKeepAliveTime(1, TimeUnit.SECONDS)
            .intercept(new Headers())
            .addService(this)
            .build();
    try {
      server.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Remembers the metadata of each call. */
  private static final class Headers implements ServerInterceptor {
    @Override
    public <Q, A> ServerCall.Listener<Q> interceptCall(
        ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
      return Contexts.interceptCall(
          Context.current().withValue(METADATA, headers), call, headers, next);
    }
  }

  int port() {
    return server.getPort();
  }

  URI uri() {
    return URI.create("http://127.0.0.1:" + port());
  }

  Stream nextStream() throws InterruptedException {
    return requireNonNull(streams.poll(20, TimeUnit.SECONDS), "no stream");
  }

  boolean hasNoStream() {
    return streams.isEmpty();
  }

  private <Q, A> void answer(Q request, Function<Q, A> answer, StreamObserver<A> client) {
    calls.add(METADATA.get());
    requests.add(request);
    try {
      client.onNext(answer.apply(request));
      client.onCompleted();
    } catch (StatusRuntimeException e) {
      client.onError(e);
    }
  }

  @Override
  public void send(SendRequest request, StreamObserver<Sent> client) {
    answer(request, onSend, client);
  }

  @Override
  public void sendBatch(SendBatchRequest request, StreamObserver<SendBatchResponse> client) {
    answer(request, onBatch, client);
  }

  @Override
  public void recv(RecvRequest request, StreamObserver<RecvResponse> client) {
    answer(request, onRecv, client);
  }

  @Override
  public void ack(AckBatch request, StreamObserver<Settled> client) {
    answer(request, acks -> onSettle.apply(acks.getAcksCount()), client);
  }

  @Override
  public void nack(NackBatch request, StreamObserver<Settled> client) {
    answer(request, nacks -> onSettle.apply(nacks.getNacksCount()), client);
  }

  @Override
  public void extend(ExtendBatch request, StreamObserver<Settled> client) {
    answer(request, extensions -> onSettle.apply(extensions.getExtendsCount()), client);
  }

  @Override
  public StreamObserver<RecvCommand> recvStream(StreamObserver<RecvEvent> client) {
    calls.add(METADATA.get());
    Stream stream = new Stream((ServerCallStreamObserver<RecvEvent>) client);
    if (refusal.getStatus().isOk()) {
      streams.add(stream);
    } else {
      client.onError(refusal);
    }
    return stream;
  }

  static Sent sent(String id) {
    return Sent.newBuilder().setMsgId(id).build();
  }

  static Settled done(int count) {
    Settled.Builder settled = Settled.newBuilder();
    for (int i = 0; i < count; i++) {
      settled.addOutcomes(SettleOutcome.newBuilder().setDone(DONE));
    }
    return settled.build();
  }

  /** A message whose digests are right, with receipt {@code r} and its id. */
  static Received message(String id, byte[] body) {
    String hash = ReceivedEnvelope.payloadHash(body);
    Instant now = Instant.ofEpochSecond(1_700_000_000, 123_000_000);
    ReceivedEnvelope envelope =
        new ReceivedEnvelope(TOPIC, now.toString(), "key", hash, Map.of(), "");
    return Received.newBuilder()
        .setEnvelope(
            org.svcmailbox.proto.v1.Envelope.newBuilder()
                .setMsgId(id)
                .setTopic(TOPIC)
                .setTs(
                    Timestamp.newBuilder().setSeconds(now.getEpochSecond()).setNanos(now.getNano()))
                .setIdemKey("key")
                .setPayloadHash(hash)
                .setAttempt(1)
                .setHashChain(envelope.expectedHashChain()))
        .setPayload(ByteString.copyFrom(body))
        .setReceipt("r" + id)
        .setVisibilityMs(30_000)
        .build();
  }

  static Problem.Builder problem(String code) {
    return Problem.newBuilder().setCode(code).setDetail("because");
  }

  static StatusRuntimeException refusal(String code, com.google.rpc.Code status) {
    return StatusProto.toStatusRuntimeException(
        com.google.rpc.Status.newBuilder()
            .setCode(status.getNumber())
            .setMessage("because")
            .addDetails(Any.pack(problem(code).build()))
            .build());
  }

  /** A stream of the client. Ends when the client does; one that gives back is opened. */
  static final class Stream implements StreamObserver<RecvCommand> {
    private final ServerCallStreamObserver<RecvEvent> client;
    private final BlockingQueue<RecvCommand> commands = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();

    private Stream(ServerCallStreamObserver<RecvEvent> client) {
      this.client = client;
      client.setOnCancelHandler(() -> ends.add("cancelled"));
    }

    @Override
    public void onNext(RecvCommand command) {
      commands.add(command);
      if (command.hasOpen() && command.getOpen().getWindow() == 0) {
        opened("given back");
      }
    }

    @Override
    public void onError(Throwable failure) {
      // The cancel handler tells.
    }

    @Override
    public void onCompleted() {
      ends.add("half-closed");
      client.onCompleted();
    }

    RecvCommand next() throws InterruptedException {
      return requireNonNull(commands.poll(20, TimeUnit.SECONDS), "no command");
    }

    String end() throws InterruptedException {
      return requireNonNull(ends.poll(20, TimeUnit.SECONDS), "no end");
    }

    /** The credit of the next command. */
    int credit() throws InterruptedException {
      RecvCommand command = next();
      if (!command.hasCredit()) {
        throw new AssertionError(command);
      }
      return command.getCredit().getMessages();
    }

    void say(RecvEvent.Builder event) {
      client.onNext(event.build());
    }

    void opened(String id) {
      say(RecvEvent.newBuilder().setOpened(Opened.newBuilder().setStream(id).setWindow(1_000)));
    }

    void deliver(long n, String body) {
      deliver(n, message("m" + n, body.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
    }

    void deliver(long n, Received message) {
      say(RecvEvent.newBuilder().setDelivery(Delivery.newBuilder().setN(n).setMessage(message)));
    }

    /** The head of a message whose body follows. */
    void head(long n, byte[] body, long size) {
      Received head = message("m" + n, body).toBuilder().clearPayload().build();
      say(
          RecvEvent.newBuilder()
              .setDelivery(Delivery.newBuilder().setN(n).setMessage(head).setChunkedSize(size)));
    }

    void chunk(byte[] bytes, int from, int to, boolean isLast) {
      say(
          RecvEvent.newBuilder()
              .setChunk(
                  Chunk.newBuilder()
                      .setData(ByteString.copyFrom(bytes, from, to - from))
                      .setLast(isLast)));
    }

    void settled(RecvCommand command, SettleOutcome.Builder outcome) {
      say(
          RecvEvent.newBuilder()
              .setSettled(
                  Settled.newBuilder().setId(command.getSettle().getId()).addOutcomes(outcome)));
    }

    void settled(RecvCommand command) {
      settled(command, SettleOutcome.newBuilder().setDone(DONE));
    }

    void goodbye(Goodbye.Builder goodbye) {
      say(RecvEvent.newBuilder().setGoodbye(goodbye));
    }

    /** The end of the call without a Goodbye. */
    void cut() {
      client.onError(Status.UNAVAILABLE.withDescription("cut").asRuntimeException());
    }

    /** The refusal of the stream, or its end with a problem. */
    void refuse(String code, com.google.rpc.Code status) {
      client.onError(refusal(code, status));
    }

    /** The end, if it comes so soon. */
    String endWithin(Duration atMost) throws InterruptedException {
      return requireNonNull(ends.poll(atMost.toMillis(), TimeUnit.MILLISECONDS));
    }

    void complete() {
      client.onCompleted();
    }
  }

  @Override
  public void close() {
    server.shutdownNow();
  }
}
