package org.svcmailbox.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.memory.InMemoryMailbox;

class MailboxResolverTest {
  private final List<Mailbox<?, ?>> opened = new ArrayList<>();
  private final MailboxResolver resolver =
      MailboxResolver.builder()
          .register(mailbox("receipts"))
          .factory(
              Pattern.compile("reply-[0-9]+"),
              new MailboxFactory() {
                @Override
                public <R> Mailbox<R, ?> open(String name, Codec<R> codec) {
                  if (name.equals("reply-404")) {
                    throw new MailboxNotFoundException(name);
                  }
                  Mailbox<R, ?> mailbox =
                      InMemoryMailbox.builder(name, codec, Codecs.bytes()).build();
                  opened.add(mailbox);
                  return mailbox;
                }
              })
          .build();

  private static InMemoryMailbox<String, String> mailbox(String name) {
    return InMemoryMailbox.<String, String>builder(name).build();
  }

  @Test
  void aRegisteredMailboxIsFoundAndStaysOpen() {
    InMemoryMailbox<String, String> replies = mailbox("replies");
    MailboxResolver registry = MailboxResolver.of(replies);

    assertSame(replies, registry.resolve("replies", Codecs.utf8()));

    registry.close();
    assertFalse(replies.isClosed());
  }

  @Test
  void twoMailboxesCannotHaveOneName() {
    assertThrows(
        IllegalArgumentException.class,
        () -> MailboxResolver.of(mailbox("replies"), mailbox("replies")));
  }

  @Test
  void theFactoryOpensOnceForEachNameAndCodec() {
    Mailbox<String, ?> first = resolver.resolve("reply-1", Codecs.utf8());
    assertSame(first, resolver.resolve("reply-1", Codecs.utf8()));
    assertNotSame(first, resolver.resolve("reply-1", Codecs.bytes()));
    assertEquals(2, opened.size());
  }

  @Test
  void aNameOutsideThePatternIsNotAvailable() {
    for (String name : List.of("reply-", "reply-1x", "xreply-1", "")) {
      assertThrows(ReplyNotAvailableException.class, () -> resolver.resolve(name, Codecs.utf8()));
    }
    assertEquals(List.of(), opened);
  }

  @Test
  void aMailboxThatTheFactoryDoesNotFindIsNotAvailable() {
    assertThrows(
        ReplyNotAvailableException.class, () -> resolver.resolve("reply-404", Codecs.utf8()));
  }

  @Test
  void aClosedMailboxIsOpenedAgain() {
    resolver.resolve("reply-1", Codecs.utf8()).close();
    assertFalse(resolver.resolve("reply-1", Codecs.utf8()).isClosed());
  }

  @Test
  void theMailboxUsedLongestAgoIsClosedBeyondTheBound() {
    for (int i = 0; i < MailboxResolver.MAX_OPEN; i++) {
      resolver.resolve("reply-" + (1_000 + i), Codecs.utf8());
    }
    resolver.resolve("reply-1000", Codecs.utf8());
    assertTrue(opened.stream().noneMatch(Mailbox::isClosed));

    resolver.resolve("reply-9999", Codecs.utf8());

    List<String> closed = new ArrayList<>();
    opened.stream().filter(Mailbox::isClosed).forEach(mailbox -> closed.add(mailbox.name()));
    assertEquals(List.of("reply-1001"), closed);
  }

  @Test
  void closingClosesWhatTheFactoryOpened() {
    Mailbox<String, ?> open = resolver.resolve("reply-1", Codecs.utf8());
    resolver.close();
    assertTrue(open.isClosed());
    assertTrue(resolver.resolve("reply-2", Codecs.utf8()).isClosed());
  }
}
