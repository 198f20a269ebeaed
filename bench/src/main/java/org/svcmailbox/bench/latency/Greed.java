package org.svcmailbox.bench.latency;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.svcmailbox.bench.http.HttpConnection;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.http.Messages;

/** The part of a shared bound that one caller takes and holds. */
enum Greed {
  /** Nothing. */
  ALONE {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) {
      await(over);
    }
  },

  /** Leases of twelve hours, of messages that it sends itself. */
  LEASES {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException {
      String recv =
          "{\"topic\":\"%s\",\"max_messages\":100,\"visibility_ms\":43200000}".formatted(topic);
      try (HttpConnection connection = new HttpConnection(own)) {
        for (int batch = 0; !over.get(); batch++) {
          String prefix = batch + "-";
          insist(connection, "/v1/send/batch", Messages.batch(topic, BATCH, i -> prefix + i));
          insist(connection, "/v1/recv", recv);
        }
      }
    }
  },

  /** Keys, as fast as the service takes them. */
  KEYS {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException {
      try (HttpConnection connection = new HttpConnection(own)) {
        for (int batch = 0; !over.get(); batch++) {
          String prefix = batch + "-";
          insist(connection, "/v1/send/batch", Messages.batch(topic, BATCH, i -> prefix + i));
        }
      }
    }
  },

  /** RECVs that wait, more than may wait. */
  WAITS {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException {
      byte[] recv = request(own, "/v1/recv", "{\"topic\":\"%s\",\"wait_ms\":30000}", topic);
      hold(own, 1_000, recv, over);
    }
  },

  /** Bodies whose last byte never comes, more than there is memory for. */
  BODIES {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException {
      String most = Messages.one(topic, "k").replace("\"payload\":\"", "\"payload\":\"" + ZEROS);
      byte[] whole = request(own, "/v1/send", most, topic);
      hold(own, 120, Arrays.copyOf(whole, whole.length - 1), over);
    }
  },

  /** Streams of events, more than there may be. */
  STREAMS {
    @Override
    void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException {
      String head = "GET /v1/events HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer %s\r\n\r\n";
      hold(own, 200, head.formatted(own.token()).getBytes(StandardCharsets.US_ASCII), over);
    }
  };

  private static final int BATCH = 100;
  private static final String ZEROS = "AAAA".repeat(200_000);
  private static final long PAUSE = Duration.ofMillis(100).toNanos();

  /** Takes as much as it gets, and holds it until it is over. */
  abstract void take(LoadTarget own, String topic, AtomicBoolean over) throws IOException;

  private static void await(AtomicBoolean over) {
    while (!over.get()) {
      LockSupport.parkNanos(PAUSE);
    }
  }

  /** Tries once more after each refusal, but not at once. */
  private static void insist(HttpConnection connection, String path, String json)
      throws IOException {
    String answer = connection.tried(path, json);
    if (answer.contains("E_SATURATED")) {
      LockSupport.parkNanos(PAUSE);
    }
  }

  private static byte[] request(LoadTarget own, String path, String body, String topic) {
    String json = body.replace("%s", topic);
    String head =
        String.join(
            "\r\n",
            "POST " + path + " HTTP/1.1",
            "Host: h",
            "Authorization: Bearer " + own.token(),
            "Content-Type: application/json",
            "Content-Length: " + json.length(),
            "",
            "");
    return (head + json).getBytes(StandardCharsets.US_ASCII);
  }

  private static void hold(LoadTarget own, int connections, byte[] request, AtomicBoolean over)
      throws IOException {
    List<Closeable> open = new ArrayList<>();
    try {
      for (int i = 0; i < connections && !over.get(); i++) {
        Socket socket = new Socket();
        open.add(socket);
        socket.connect(new InetSocketAddress(own.server().getHost(), own.server().getPort()));
        send(socket, request);
      }
      await(over);
    } finally {
      for (Closeable each : open) {
        each.close();
      }
    }
  }

  /** The service ends the connection of a body that it has no memory for. */
  private static void send(Socket socket, byte[] request) {
    try {
      socket.getOutputStream().write(request);
    } catch (IOException e) {
      // Refused: there is nothing to hold.
    }
  }
}
