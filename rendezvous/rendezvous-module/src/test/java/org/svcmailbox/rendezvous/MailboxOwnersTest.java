package org.svcmailbox.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class MailboxOwnersTest {
  private static final String GOOD = "Bearer good";

  private final FakeRendezvousService service = new FakeRendezvousService();
  private final MailboxOwners owners = new MailboxOwners(service);

  @Test
  void bodiesOfMailboxesHaveOwners() {
    assertNull(owners.known(TestServer.PATH, GOOD), "nobody has asked the service yet");
    assertEquals(TestServer.RECIPIENT, owners.find(TestServer.PATH, GOOD));
    assertEquals(TestServer.RECIPIENT, owners.known(TestServer.PATH, GOOD));
    assertNull(owners.known(TestServer.PATH, "Bearer late"));
    assertEquals(TestServer.RECIPIENT, owners.find(TestServer.PATH, "Bearer late"));
    assertNull(owners.find(TestServer.PATH, null));
  }

  @Test
  void nothingElseHasABody() {
    for (String path : new String[] {"/health", "/metrics", "/", TestServer.PATH + "/more"}) {
      assertNull(owners.find(path, GOOD));
      assertNull(owners.known(path, GOOD));
    }
  }

  @Test
  void doorThatIsOffReadsNoBody() {
    service.isOff = true;
    assertNull(owners.find(TestServer.PATH, GOOD));
    assertNull(owners.known(TestServer.PATH, GOOD));
  }
}
