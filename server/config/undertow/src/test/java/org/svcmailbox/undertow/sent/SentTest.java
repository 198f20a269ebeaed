package org.svcmailbox.undertow.sent;

import static java.util.Objects.requireNonNull;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import jakarta.servlet.ServletException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.svcmailbox.test.net.RawConnection;
import org.svcmailbox.test.net.TestCertificate;

/** Reports of responses, in the clear and behind TLS. */
class SentTest {
  private static final int LARGE = 16 << 20;
  private static final int PATIENCE_SECONDS = 10;

  @TempDir private Path directory;

  private @Nullable SentServer server;

  @AfterEach
  void close() throws ServletException {
    if (server != null) {
      server.close();
    }
  }

  private RawConnection connect(boolean isTls) throws Exception {
    return isTls ? secure() : RawConnection.narrow(start(null).address());
  }

  private RawConnection secure() throws Exception {
    TestCertificate certificate =
        TestCertificate.in(directory.resolve("certificate"), "a password");
    InetSocketAddress address = start(certificate).address();
    Socket plain = new Socket();
    plain.setReceiveBufferSize(4_096);
    plain.connect(address);
    SSLSocket socket =
        (SSLSocket)
            certificate
                .trusting()
                .getSocketFactory()
                .createSocket(plain, "localhost", address.getPort(), true);
    socket.startHandshake();
    return RawConnection.over(socket);
  }

  private SentServer start(@Nullable TestCertificate certificate) throws ServletException {
    SentServer started = new SentServer(certificate);
    server = started;
    return started;
  }

  private CompletableFuture<Boolean> report() throws InterruptedException {
    CompletableFuture<Boolean> report =
        requireNonNull(server).reports.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (report == null) {
      throw new AssertionError("no request came");
    }
    return report;
  }

  private static boolean value(CompletableFuture<Boolean> report) throws Exception {
    return report.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResponseIsSentWhenTheKernelHasItsLastByte(boolean isTls) throws Exception {
    try (RawConnection client = connect(isTls)) {
      client.send(RawConnection.get("/?" + LARGE));
      CompletableFuture<Boolean> report = report();
      client.bytes(1_000);
      assertFalse(report.isDone());
      // The head is some 150 bytes more.
      client.bytes(LARGE - 1_000);
      assertEquals(true, value(report));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void shortAndEmptyResponsesAreSentAtOnceAndTheConnectionGoesOn(boolean isTls) throws Exception {
    try (RawConnection client = connect(isTls)) {
      for (int bytes : new int[] {0, 1, 1_000, 0}) {
        client.send(RawConnection.get("/?" + bytes)).receive().expect(200);
        assertEquals(true, value(report()), bytes + " bytes");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResponseThatBreaksIsNotSent(boolean isTls) throws Exception {
    try (RawConnection client = connect(isTls)) {
      client.send(RawConnection.get("/?" + LARGE));
      CompletableFuture<Boolean> report = report();
      client.bytes(1_000);
      client.hangUp();
      assertEquals(false, value(report));
    }
  }

  /** Its last bytes are in the server or in TLS, however few they are. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aResponseOfWhichTheClientTakesAllButTheEndIsNotSent(boolean isTls) throws Exception {
    try (RawConnection client = connect(isTls)) {
      client.send(RawConnection.get("/?" + LARGE));
      CompletableFuture<Boolean> report = report();
      client.bytes(LARGE / 2);
      assertFalse(report.isDone());
      client.hangUp();
      assertEquals(false, value(report));
    }
  }
}
