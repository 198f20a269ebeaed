package org.svcmailbox.client.grpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.grpc.ScriptedDoor.Stream;

/** A network that forgets a connection without a sign. */
class KeepaliveTest extends GrpcFixture {
  private final FrozenRelay relay = new FrozenRelay(door.port());

  @AfterEach
  void closeRelay() throws IOException {
    relay.close();
  }

  @Test
  void aFrozenConnectionIsLeftAndItsStreamResumed() throws Exception {
    try (GrpcConnections frozen =
            GrpcConnections.builder(URI.create("http://127.0.0.1:" + relay.port()))
                .keepalive(Duration.ofSeconds(10), Duration.ofMillis(500))
                .build();
        GrpcMailbox<String, String> mailbox = builder(frozen).build()) {
      var received = receive(mailbox, 1);
      Stream stream = door.nextStream();
      assertTrue(stream.next().hasOpen());
      stream.opened("s1");
      assertEquals(1, stream.credit());

      relay.freeze();

      Stream next = door.nextStream();
      assertEquals("s1", next.next().getOpen().getResume().getStream());
      next.opened("s2");
      assertEquals(1, next.credit());
      next.deliver(1, "apple");
      assertEquals("apple", one(received).body());
    }
  }
}
