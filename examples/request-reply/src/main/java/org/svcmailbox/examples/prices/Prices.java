package org.svcmailbox.examples.prices;

import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxFactory;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.codec.Codecs;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.TokenSource;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;

/** The mailboxes of questions and answers, at the service that the environment names. */
final class Prices implements MailboxFactory {
  private final HttpConnections connections = HttpConnections.builder().build();

  /** Questions for the price of an item. Answers go where the resolver allows. */
  Mailbox<MainLoopRequest<String>, MainLoopResult<Integer>> questions(MailboxResolver answers) {
    return at(
            "example-prices",
            MainLoopRequest.<String>json(String.class),
            MainLoopResult.<Integer>json(Integer.class))
        .resolver(answers)
        .build();
  }

  /** The answers to one customer: of a shared mailbox, each would take the others' answers. */
  Mailbox<MainLoopResult<Integer>, ?> answers(String customer) {
    return open("example-prices-" + customer, MainLoopResult.<Integer>json(Integer.class));
  }

  @Override
  public <R> Mailbox<R, ?> open(String name, Codec<R> codec) {
    return at(name, codec, Codecs.bytes()).build();
  }

  private <T, R> HttpMailbox.Builder<T, R> at(String name, Codec<T> codec, Codec<R> replies) {
    return HttpMailbox.builder(
            URI.create(variable("MAILBOX_URL")),
            TokenSource.file(Path.of(variable("MAILBOX_TOKEN_FILE"))),
            name,
            codec,
            replies)
        .connections(connections);
  }

  private static String variable(String name) {
    return Optional.ofNullable(System.getenv(name))
        .orElseThrow(() -> new IllegalStateException("set " + name));
  }
}
