package org.svcmailbox.bench.rendezvous;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.net.SocketFactory;
import org.svcmailbox.bench.contestant.MeasuredServer;
import org.svcmailbox.bench.contestant.Server;
import org.svcmailbox.bench.figure.Figures;
import org.svcmailbox.bench.http.LoadTarget;
import org.svcmailbox.bench.machine.Machine;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;
import org.svcmailbox.bench.options.Parts;
import org.svcmailbox.test.net.TestCertificate;

/**
 * The scenario {@code rendezvous}: the door and its peers, the wake-up times and memory of waiters,
 * and what the open door costs SEND.
 */
public final class RendezvousBench {
  private final Options options;
  private final Figures figures = new Figures();
  private final List<RendezvousPeer> measured = new ArrayList<>();
  private final PeerRounds peers;

  private RendezvousBench(Options options) {
    this.options = options;
    this.peers = new PeerRounds(options);
  }

  public static void run(Options options) throws Exception {
    new RendezvousBench(options).run();
  }

  private void run() throws Exception {
    Map<String, String> machine = Machine.factsWithLoad(options.data());
    if (options.has(Parts.PAIRS)) {
      measured.addAll(peers.run(figures));
    }
    if (options.has(Parts.WAITERS)) {
      waiters();
    }
    if (options.has(Parts.TLS)) {
      tls();
    }
    if (options.has(Parts.SEND)) {
      send();
    }
    new RendezvousReport(machine, figures, measured, options).publish();
  }

  private void waiters() throws Exception {
    try (Server server = Door.open(options, "waiters", Map.of())) {
      WaiterLoad load = new WaiterLoad(options, server, figures);
      load.mailboxes(peers);
      load.waiters("plain", SocketFactory.getDefault());
      load.wakeUps();
    }
  }

  private void tls() throws Exception {
    TestCertificate certificate =
        TestCertificate.in(options.data().resolve("certificate"), "a password");
    try (Server server = Door.open(options, "tls", pem(certificate))) {
      SocketFactory sockets = certificate.trusting().getSocketFactory();
      WaiterLoad load = new WaiterLoad(options, server, figures);
      load.warmUp(sockets);
      load.waiters("tls", sockets);
    }
  }

  private static Map<String, String> pem(TestCertificate certificate)
      throws IOException, GeneralSecurityException {
    return Map.of(
        "MAILBOX_RENDEZVOUS_TLS_CERT_PATH",
        certificate.certificatePem().toAbsolutePath().toString(),
        "MAILBOX_RENDEZVOUS_TLS_KEY_PATH",
        certificate.keyPem().toAbsolutePath().toString());
  }

  /** Sends to two running servers, one at a time; the order changes each round. */
  private void send() throws Exception {
    List<String> topic = List.of(LoadTarget.TOPICS + "send");
    try (Server closed = Door.closed(options, "closed");
        Server open = Door.open(options, "open", Map.of())) {
      List<MeasuredServer> servers =
          List.of(
              new MeasuredServer(RendezvousReport.CLOSED, closed, options.work(), figures),
              new MeasuredServer(RendezvousReport.OPEN, open, options.work(), figures));
      for (MeasuredServer server : servers) {
        Progress.say("warming up SEND");
        server.warmUp(topic, options.warmUp());
      }
      for (int round = 0; round < 2 * options.rounds(); round++) {
        for (int turn = 0; turn < 2; turn++) {
          MeasuredServer server = servers.get((round + turn) % 2);
          server.send(topic, options.load());
          server.empty(topic);
        }
      }
    }
  }
}
