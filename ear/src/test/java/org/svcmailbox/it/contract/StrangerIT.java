package org.svcmailbox.it.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.svcmailbox.it.client.CallTarget;
import org.svcmailbox.it.client.MailboxClient;
import org.svcmailbox.it.client.TestTopics;
import org.svcmailbox.it.server.MailboxServer;
import org.svcmailbox.it.server.OnlyOnWildFly;
import org.svcmailbox.test.net.RawConnection;

/** Callers without a right cost little. */
@ContractTest
class StrangerIT {
  private static final int MANY = 80;
  private static final int LARGE = 1 << 20;

  private final MailboxServer server;
  private final MailboxClient operator;
  private final String topic = TestTopics.fresh("stranger");

  StrangerIT(MailboxServer server, MailboxClient operator) {
    this.server = server;
    this.operator = operator;
  }

  private List<CallTarget> strangers() throws IOException {
    String token = operator.mint("ops = send");
    String forged = token.substring(0, token.length() - 2) + "AA";
    return List.of(server.target().with(null), server.target().with(forged));
  }

  @Test
  @OnlyOnWildFly("bodies hold no thread, and 64 MiB at most")
  void bodiesOfStrangersAreNotWaitedFor() throws IOException {
    List<RawConnection> open = new ArrayList<>();
    try {
      for (CallTarget stranger : strangers()) {
        for (int i = 0; i < MANY; i++) {
          RawConnection raw = stranger.connect();
          open.add(raw);
          raw.send(stranger.head("POST", "/v1/send") + RawConnection.length(LARGE) + "\r\n\r\n");
          raw.send(new byte[LARGE / 2]);
          raw.receive().expect(401);
        }
      }
      operator.send(topic, "key", new byte[LARGE / 2]).expect(200);
    } finally {
      for (RawConnection raw : open) {
        raw.close();
      }
    }
  }

  @Test
  @OnlyOnWildFly("bodies hold no thread, and 64 MiB at most")
  void onlyABodyThatWillBeReadIsAskedFor() throws IOException {
    String expect = "Expect: 100-continue\r\n";
    for (CallTarget stranger : strangers()) {
      for (String path : List.of("/v1/send", "/v1/capabilities", "/v1/unknown")) {
        try (RawConnection raw = stranger.connect()) {
          raw.send(stranger.head("POST", path) + expect + RawConnection.length(9) + "\r\n\r\n");
          raw.receive().expect(401);
        }
      }
    }
    CallTarget sender = server.target().with(operator.mint("ops = send"));
    try (RawConnection raw = sender.connect()) {
      String head = sender.head("POST", "/v1/send") + expect;
      raw.send(head + RawConnection.length(9) + "\r\n\r\n");
      raw.receive().expect(100);
      assertEquals(400, raw.send("{\"a\":\"b\"}").receive().status());
      raw.send(head + RawConnection.length(100 * LARGE) + "\r\n\r\n");
      raw.receive().expect(413);
    }
  }
}
