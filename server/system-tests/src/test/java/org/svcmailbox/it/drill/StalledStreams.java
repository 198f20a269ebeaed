package org.svcmailbox.it.drill;

import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.svcmailbox.it.client.Fields;
import org.svcmailbox.it.client.GrpcClient;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.proto.v1.Credit;
import org.svcmailbox.proto.v1.MailboxGrpc;
import org.svcmailbox.proto.v1.Open;
import org.svcmailbox.proto.v1.RecvCommand;
import org.svcmailbox.proto.v1.RecvEvent;
import org.svcmailbox.test.net.RawConnection;

/** Streams of both doors whose clients read nothing. */
final class StalledStreams implements AutoCloseable {
  private static final int WINDOW = 200;
  private static final int WINDOW_BYTES = 8 << 20;
  private static final int PAYLOAD = 60_000;
  private static final int VISIBILITY_MILLIS = 10_000;

  private final List<RawConnection> connections = new ArrayList<>();
  private final GrpcClient client;

  /**
   * Opens them.
   *
   * @param each streams of each door
   */
  StalledStreams(MailboxServer server, String topic, int each) throws IOException {
    client = GrpcClient.of(server);
    for (int i = 0; i < each; i++) {
      RawConnection connection = server.target().connectNarrow();
      connections.add(connection);
      Fields request =
          Fields.of("topic", topic)
              .with("window", WINDOW)
              .with("window_bytes", WINDOW_BYTES)
              .with("visibility_ms", VISIBILITY_MILLIS);
      connection.send(server.target().post("/v1/recv/stream", request));
      new Stalled().open(client, topic);
    }
  }

  /** Sends more than a connection takes without a reader. */
  static void fill(MailboxClient client, String topic) throws IOException {
    client.putTopic(topic, Fields.of("max_attempts", 1_000)).expect(201);
    for (int i = 0; i < 2 * WINDOW; i++) {
      client.send(topic, "large-" + i, new byte[PAYLOAD]).expect(200);
    }
  }

  private static final class Stalled implements ClientResponseObserver<RecvCommand, RecvEvent> {
    void open(GrpcClient client, String topic) {
      var commands =
          MailboxGrpc.newStub(client.channel())
              .withInterceptors(client.asOperator())
              .recvStream(this);
      commands.onNext(
          RecvCommand.newBuilder()
              .setOpen(
                  Open.newBuilder()
                      .setTopic(topic)
                      .setWindow(WINDOW)
                      .setWindowBytes(WINDOW_BYTES)
                      .setVisibilityMs(VISIBILITY_MILLIS))
              .build());
      commands.onNext(
          RecvCommand.newBuilder()
              .setCredit(Credit.newBuilder().setMessages(WINDOW).setBytes(WINDOW_BYTES))
              .build());
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<RecvCommand> stream) {
      stream.disableAutoRequestWithInitial(0);
    }

    @Override
    public void onNext(RecvEvent event) {}

    @Override
    public void onError(Throwable failure) {}

    @Override
    public void onCompleted() {}
  }

  /** How many there are, of both doors. */
  int count() {
    return 2 * connections.size();
  }

  @Override
  public void close() throws IOException {
    client.close();
    for (RawConnection connection : connections) {
      connection.close();
    }
  }
}
