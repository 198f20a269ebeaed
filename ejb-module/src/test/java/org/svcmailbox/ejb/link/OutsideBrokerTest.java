package org.svcmailbox.ejb.link;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.remoting.impl.netty.TransportConstants;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.svcmailbox.core.metrics.Family;
import org.svcmailbox.core.problem.UnavailableException;
import org.svcmailbox.ejb.admin.BrokerAdmin;
import org.svcmailbox.test.concurrent.Deadline;
import org.svcmailbox.test.net.HoldingProxy;
import org.svcmailbox.test.net.TestCertificate;

/**
 * A broker in another process, as the settings name it. A failure names the setting to look at, and
 * the same connections serve once it is mended.
 */
final class OutsideBrokerTest {
  private static final Duration SOON = Duration.ofSeconds(20);
  private static final String QUEUE = "mailbox.some";
  private static final String SILENCE = "?connectionTTL=300&clientFailureCheckPeriod=100";

  @TempDir private Path directory;

  private static BrokerAccess access(String url) {
    return GuardedArtemis.access(GuardedArtemis.settings(url));
  }

  private static double now(BrokerAccess access, Family family) {
    return access.state().metrics().stream()
        .filter(metric -> metric.family() == family)
        .findFirst()
        .orElseThrow()
        .now();
  }

  private static String refusal(BrokerConnections connections) {
    return String.valueOf(
        assertThrows(UnavailableException.class, () -> connections.open(true)).getMessage());
  }

  private static void serves(BrokerConnections connections) {
    connections.open(true).close();
  }

  /** The lines that are logged while something runs. */
  private static List<String> logged(Runnable what) {
    List<String> lines = new CopyOnWriteArrayList<>();
    Thread mine = Thread.currentThread();
    Handler handler =
        new Handler() {
          @Override
          public void publish(LogRecord line) {
            if (Thread.currentThread() == mine) {
              lines.add(line.getMessage());
            }
          }

          @Override
          public void flush() {}

          @Override
          public void close() {}
        };
    Logger logger = Logger.getLogger(BrokerState.class.getName());
    logger.addHandler(handler);
    try {
      what.run();
    } finally {
      logger.removeHandler(handler);
    }
    return lines;
  }

  @Test
  void itIsFoundOutSoonerThanAPairTakesOver() {
    var locator = access("tcp://127.0.0.1:1").locator();
    assertTrue(2 * locator.getConnectionTTL() + locator.getClientFailureCheckPeriod() < 5_000);
    assertEquals(5_000, locator.getCallTimeout());
    var other =
        access("tcp://127.0.0.1:1?connectionTTL=700&clientFailureCheckPeriod=200&callTimeout=900")
            .locator();
    assertEquals(700, other.getConnectionTTL());
    assertEquals(200, other.getClientFailureCheckPeriod());
    assertEquals(900, other.getCallTimeout());
    for (var connector :
        access(GuardedArtemis.pair(1, 2, "")).locator().getStaticTransportConfigurations()) {
      assertEquals(2_000, connector.getParams().get(TransportConstants.NETTY_CONNECT_TIMEOUT));
    }
  }

  @Test
  void aWrongPasswordIsMendedInItsFile() throws Exception {
    try (GuardedArtemis broker = new GuardedArtemis(0, "")) {
      Map<String, String> settings = GuardedArtemis.settings(broker.url());
      settings.remove("mailbox.broker.password");
      Path file = directory.resolve("password");
      settings.put("mailbox.broker.password_file", file.toString());
      try (BrokerConnections connections = new BrokerConnections(GuardedArtemis.access(settings))) {
        assertEquals(
            "no session with the broker: mailbox.broker.password_file cannot be read",
            refusal(connections));
        Files.writeString(file, "wrong\n");
        List<String> lines =
            logged(
                () -> {
                  refusal(connections);
                  refusal(connections);
                });
        String named =
            "no session with the broker: the broker refuses mailbox.broker.user with"
                + " mailbox.broker.password";
        assertEquals(List.of(named), lines);
        assertEquals(named, refusal(connections));
        Files.writeString(file, GuardedArtemis.PASSWORD + "\n");
        serves(connections);
      }
    }
  }

  @Test
  void aMissingRightIsNamed() throws Exception {
    try (GuardedArtemis broker = new GuardedArtemis(0, "");
        BrokerConnections connections = new BrokerConnections(access(broker.url()));
        BrokerAdmin admin = new BrokerAdmin(connections)) {
      broker.allowQueues(false);
      SimpleString queue = SimpleString.of(QUEUE);
      assertEquals(
          "the broker failed to create the queue mailbox.some: mailbox.broker.user lacks the"
              + " permission CREATE_DURABLE_QUEUE",
          assertThrows(UnavailableException.class, () -> admin.queues().create(queue))
              .getMessage());
      broker.allowQueues(true);
      admin.queues().create(queue);
      assertTrue(broker.queues().contains(QUEUE));
    }
  }

  @Test
  void theOtherOneOfAPairServes() throws Exception {
    GuardedArtemis first = new GuardedArtemis(0, "");
    int second = freePort();
    BrokerAccess access = access(GuardedArtemis.pair(first.port(), second, ""));
    try (BrokerConnections connections = new BrokerConnections(access)) {
      assertEquals(0, now(access, Family.BROKER_CONNECTED));
      Connection held = connections.open(true);
      assertEquals(1, now(access, Family.BROKER_CONNECTED));
      first.close();
      Deadline.in(SOON)
          .await(() -> now(access, Family.BROKER_CONNECTED) == 0, () -> "the end of a connection");
      assertEquals(1, now(access, Family.BROKER_CONNECTIONS_LOST_TOTAL));
      held.close();
      List<String> lines =
          logged(
              () -> assertEquals("no broker of mailbox.broker.url answers", refusal(connections)));
      assertEquals(1, lines.size());
      assertTrue(
          lines
              .get(0)
              .contains(
                  "127.0.0.1:%d (mailbox.broker.url) cannot be reached: Connection refused; 127"
                      .formatted(first.port())),
          lines.get(0));
      try (GuardedArtemis other = new GuardedArtemis(second, "")) {
        serves(connections);
        serves(connections);
        assertEquals(1, now(access, Family.BROKER_FAILOVERS_TOTAL));
        assertEquals(second, other.port());
      }
    }
  }

  /** A paused broker accepts connections and answers nothing. */
  @Test
  void aSilentBrokerHoldsUpNobodyForLong() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        GuardedArtemis broker = new GuardedArtemis(0, "");
        BrokerConnections connections =
            new BrokerConnections(
                access(
                    GuardedArtemis.pair(
                        silent.getLocalPort(), broker.port(), "?callTimeout=2000")))) {
      assertTimeoutPreemptively(SOON, () -> serves(connections));
      assertTimeoutPreemptively(Duration.ofSeconds(5), () -> serves(connections));
    }
  }

  /** Each would take two seconds, one after the other. */
  @Test
  void callersDoNotWaitOneAfterTheOtherForASilentBroker() throws Exception {
    try (ServerSocket silent = silent(0);
        BrokerConnections connections =
            BrokerConnections.impatient(access("tcp://127.0.0.1:" + silent.getLocalPort()));
        BrokerAdmin asking = BrokerAdmin.impatient(connections)) {
      List<CompletableFuture<Duration>> callers =
          IntStream.range(0, 8)
              .mapToObj(i -> CompletableFuture.supplyAsync(() -> refused(asking)))
              .toList();
      for (CompletableFuture<Duration> caller : callers) {
        Duration took = caller.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertTrue(took.toMillis() < 3_500, took::toString);
      }
    }
    try (GuardedArtemis broker = new GuardedArtemis(0, "");
        BrokerConnections connections = BrokerConnections.impatient(access(broker.url()));
        BrokerAdmin asking = BrokerAdmin.impatient(connections)) {
      asking.requireAnswer();
    }
  }

  private static Duration refused(BrokerAdmin asking) {
    long begun = System.nanoTime();
    assertThrows(UnavailableException.class, asking::requireAnswer);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  @Test
  void aBrokerThatFallsSilentEndsACallBeforeItsTimeout() throws Exception {
    try (GuardedArtemis broker = new GuardedArtemis(0, "");
        HoldingProxy proxy = new HoldingProxy(broker.port())) {
      BrokerAccess access =
          access("tcp://127.0.0.1:" + proxy.port() + SILENCE + "&callTimeout=60000");
      try (BrokerConnections connections = new BrokerConnections(access);
          Connection connection = connections.open(true)) {
        proxy.hold();
        CompletableFuture<Void> asking =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    connection.session().queueQuery(SimpleString.of(QUEUE));
                  } catch (Exception e) {
                    throw new IllegalStateException(e);
                  }
                });
        assertThrows(
            ExecutionException.class, () -> asking.get(SOON.toSeconds(), TimeUnit.SECONDS));
        proxy.release();
        serves(connections);
      }
    }
  }

  /** A lost connection that is asked anything would connect again, and wait for 5 s. */
  @Test
  void metricsAskNobody() throws Exception {
    GuardedArtemis broker = new GuardedArtemis(0, "");
    BrokerAccess access = access(broker.url());
    try (BrokerConnections connections = new BrokerConnections(access);
        Connection held = connections.open(true)) {
      broker.close();
      Deadline.in(SOON)
          .await(
              () -> now(access, Family.BROKER_CONNECTIONS_LOST_TOTAL) == 1,
              () -> "the end of " + held);
      try (ServerSocket silent = silent(broker.port())) {
        long begun = System.nanoTime();
        assertEquals(0, now(access, Family.BROKER_CONNECTED));
        Duration took = Duration.ofNanos(System.nanoTime() - begun);
        assertTrue(took.toMillis() < 2_500, took::toString);
        assertTrue(silent.isBound());
      }
    }
  }

  private static ServerSocket silent(int port) throws IOException {
    ServerSocket silent = new ServerSocket();
    silent.setReuseAddress(true);
    silent.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    return silent;
  }

  @Test
  void aBrokerIsSilentOnceAQuestionWaitsForTooLong() {
    AtomicLong nanos = new AtomicLong();
    BrokerState state = new BrokerState(nanos::get);
    state.asking(
        () -> {
          nanos.addAndGet(BrokerState.PATIENCE.minusMillis(1).toNanos());
          assertFalse(state.isSilent());
          return state.asking(
              () -> {
                nanos.addAndGet(Duration.ofMillis(1).toNanos());
                assertTrue(state.isSilent());
                return true;
              });
        });
    assertFalse(state.isSilent());
  }

  @Test
  void aLongQuestionIsNoSilenceWhileOthersAreAnswered() {
    AtomicLong nanos = new AtomicLong();
    BrokerState state = new BrokerState(nanos::get);
    state.asking(
        () -> {
          nanos.addAndGet(BrokerState.PATIENCE.toNanos());
          assertTrue(state.isSilent());
          assertTrue(state.asking(() -> true));
          assertFalse(state.isSilent());
          nanos.addAndGet(BrokerState.PATIENCE.toNanos());
          assertTrue(state.isSilent());
          return true;
        });
  }

  @Test
  void aBrokerStaysSilentUntilAQuestionIsAnswered() {
    AtomicLong nanos = new AtomicLong();
    BrokerState state = new BrokerState(nanos::get);
    assertThrows(UnavailableException.class, () -> failAfter(state, nanos, BrokerState.PATIENCE));
    assertTrue(state.isSilent());
    assertThrows(UnavailableException.class, () -> failAfter(state, nanos, Duration.ZERO));
    assertTrue(state.isSilent());
    state.asking(() -> true);
    assertFalse(state.isSilent());
    assertThrows(UnavailableException.class, () -> failAfter(state, nanos, Duration.ZERO));
    assertFalse(state.isSilent());
  }

  private static void failAfter(BrokerState state, AtomicLong nanos, Duration time) {
    state.asking(
        () -> {
          nanos.addAndGet(time.toNanos());
          throw new UnavailableException("no answer");
        });
  }

  @Test
  void aSilentBrokerIsNotConnected() throws Exception {
    AtomicLong nanos = new AtomicLong();
    BrokerState state = new BrokerState(nanos::get);
    try (GuardedArtemis broker = new GuardedArtemis(0, "")) {
      BrokerAccess given = access(broker.url());
      BrokerAccess access =
          new BrokerAccess(given.locator(), given.login(), given.inProcess(), state);
      try (BrokerConnections connections = new BrokerConnections(access);
          Connection held = connections.open(true)) {
        assertEquals(1, now(access, Family.BROKER_CONNECTED));
        state.asking(
            () -> {
              nanos.addAndGet(BrokerState.PATIENCE.toNanos());
              assertEquals(0, now(access, Family.BROKER_CONNECTED));
              return true;
            });
        assertEquals(1, now(access, Family.BROKER_CONNECTED), held::toString);
      }
    }
  }

  @Test
  void withTlsTheBrokersCertificateMustBeTrusted() throws Exception {
    TestCertificate good = TestCertificate.in(directory.resolve("good"), "canary-2");
    TestCertificate other = TestCertificate.in(directory.resolve("other"), "canary-2");
    int port;
    try (GuardedArtemis broker = new GuardedArtemis(0, GuardedArtemis.showing(good));
        BrokerConnections connections = trusting(broker.port(), other)) {
      port = broker.port();
      assertLogged(
          connections, "(mailbox.broker.trust_store) has a certificate that is not trusted: ");
      Files.copy(
          good.certificatePem(), other.certificatePem(), StandardCopyOption.REPLACE_EXISTING);
      // The renewed file counts from the next look for a reason on.
      Deadline.in(SOON).await(() -> isServed(connections), () -> "a session");
    }
    try (BrokerConnections connections = trusting(port, good)) {
      try (GuardedArtemis broker =
          new GuardedArtemis(port, GuardedArtemis.showing(good.expired()))) {
        assertLogged(
            connections, "(mailbox.broker.trust_store) has a certificate that has expired: ");
        assertEquals(port, broker.port());
      }
      try (GuardedArtemis broker = new GuardedArtemis(port, GuardedArtemis.showing(good))) {
        serves(connections);
        assertEquals(port, broker.port());
      }
    }
  }

  @Test
  void aBrokerMayAskForACertificate() throws Exception {
    TestCertificate both = TestCertificate.in(directory.resolve("both"), "canary-2");
    String asking =
        GuardedArtemis.showing(both)
            + ";needClientAuth=true;trustStorePath=%s;trustStorePassword=canary-2;trustStoreType=PKCS12"
                .formatted(both.keystore());
    try (GuardedArtemis broker = new GuardedArtemis(0, asking)) {
      try (BrokerConnections without = trusting(broker.port(), both)) {
        assertLogged(
            without, "(mailbox.broker.key_store) refuses the certificate or asks for one: ");
      }
      Path pem = directory.resolve("mine.pem");
      Files.writeString(
          pem, Files.readString(both.keyPem()) + Files.readString(both.certificatePem()));
      Map<String, String> settings = GuardedArtemis.settings(broker.port(), both.certificatePem());
      settings.put("mailbox.broker.key_store", pem.toString());
      try (BrokerConnections with = new BrokerConnections(GuardedArtemis.access(settings))) {
        serves(with);
      }
      settings.put("mailbox.broker.key_store", both.keystore().toString());
      settings.put("mailbox.broker.key_store_password", both.password());
      try (BrokerConnections with = new BrokerConnections(GuardedArtemis.access(settings))) {
        serves(with);
      }
      settings.put("mailbox.broker.key_store_password", "canary-3");
      try (BrokerConnections with = new BrokerConnections(GuardedArtemis.access(settings))) {
        assertLogged(with, "mailbox.broker.key_store cannot be used: ");
      }
      settings.put("mailbox.broker.key_store_password", both.password());
      settings.put("mailbox.broker.trust_store", directory.resolve("none.pem").toString());
      try (BrokerConnections with = new BrokerConnections(GuardedArtemis.access(settings))) {
        assertLogged(with, "mailbox.broker.trust_store cannot be used: ");
      }
    }
  }

  /** The password is of characters that a URL could not carry. */
  @Test
  void aKeyStoresPasswordIsMendedInItsFile() throws Exception {
    TestCertificate both = TestCertificate.in(directory.resolve("both"), "canary &;%25\"'\\#?");
    TestCertificate shown = TestCertificate.in(directory.resolve("shown"), "canary-2");
    String asking =
        GuardedArtemis.showing(shown)
            + ";needClientAuth=true;trustStorePath=%s;trustStoreType=PEM"
                .formatted(both.certificatePem());
    try (GuardedArtemis broker = new GuardedArtemis(0, asking)) {
      Map<String, String> settings = GuardedArtemis.settings(broker.port(), shown.certificatePem());
      settings.put("mailbox.broker.key_store", both.keystore().toString());
      Path file = directory.resolve("password");
      settings.put("mailbox.broker.key_store_password_file", file.toString());
      try (BrokerConnections with = new BrokerConnections(GuardedArtemis.access(settings))) {
        String unread = "mailbox.broker.key_store_password_file cannot be read";
        assertEquals(List.of(unread), logged(() -> assertEquals(unread, refusal(with))));
        Files.writeString(file, "wrong\n");
        assertLogged(with, "mailbox.broker.key_store cannot be used: ");
        Files.writeString(file, both.password() + "\n");
        serves(with);
      }
      settings.remove("mailbox.broker.user");
      settings.remove("mailbox.broker.password");
      try (BrokerConnections nameless = new BrokerConnections(GuardedArtemis.access(settings))) {
        assertEquals(
            "no session with the broker: the broker knows nobody by the certificate of"
                + " mailbox.broker.key_store",
            refusal(nameless));
      }
    }
  }

  private static boolean isServed(BrokerConnections connections) {
    try {
      serves(connections);
      return true;
    } catch (UnavailableException e) {
      return false;
    }
  }

  private static void assertLogged(BrokerConnections connections, String text) {
    List<String> lines = logged(() -> refusal(connections));
    assertEquals(1, lines.size());
    assertTrue(lines.get(0).contains(text), lines.get(0));
    assertFalse(lines.get(0).contains("canary"), lines.get(0));
  }

  private static BrokerConnections trusting(int port, TestCertificate certificate)
      throws Exception {
    return new BrokerConnections(
        GuardedArtemis.access(GuardedArtemis.settings(port, certificate.certificatePem())));
  }

  private static int freePort() throws Exception {
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return free.getLocalPort();
    }
  }
}
