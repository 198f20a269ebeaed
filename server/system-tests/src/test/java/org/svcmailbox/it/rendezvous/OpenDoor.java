package org.svcmailbox.it.rendezvous;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.svcmailbox.it.server.ServerSettings;

/**
 * Gives a test class the server with the rendezvous door that all such classes share. Clients come
 * through a trusted proxy, which is the test: each test has addresses of its own. The loopback
 * address itself is on the allow list.
 */
@ServerSettings({
  "MAILBOX_RENDEZVOUS_ENABLED=true",
  "MAILBOX_RENDEZVOUS_AUTH_TOKENS=" + OpenDoor.TOKEN,
  "MAILBOX_RENDEZVOUS_MAX_MESSAGE_SIZE=1048576",
  "MAILBOX_RENDEZVOUS_MAX_QUEUE_LENGTH=20",
  "MAILBOX_RENDEZVOUS_ORIGINS=https://app.example,http://127.0.0.1:" + OpenDoor.PAGE_PORT,
  "MAILBOX_RENDEZVOUS_ALLOW=127.0.0.1/32",
  "MAILBOX_RENDEZVOUS_BLOCK=192.0.2.66/32",
  "MAILBOX_TRUSTED_PROXIES=127.0.0.0/8"
})
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
public @interface OpenDoor {
  /** Good for every mailbox. */
  String TOKEN = "a-token-of-the-open-door";

  /** The port of the page that may call; below those of all servers under test. */
  int PAGE_PORT = 7_090;

  /** Locked by classes that let requests wait: some tests count all that do. */
  String WAITERS = "the waiting requests of the open door";

  /** The door's own port, before the offset. */
  int PORT = 8_090;
}
