package org.svcmailbox.it.contract;

import java.util.function.Consumer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.http.HttpConnections;
import org.svcmailbox.client.http.HttpMailbox;
import org.svcmailbox.client.http.ServiceBuilder;
import org.svcmailbox.it.client.MailboxClient;

/** {@link StreamedContract} in JSON lines over HTTP. */
@Order(1)
@ContractTest
@Execution(ExecutionMode.CONCURRENT)
@Tag("nightly")
class HttpMailboxStreamIT extends StreamedContract {
  private static final HttpConnections CONNECTIONS = HttpConnections.builder().build();

  HttpMailboxStreamIT(MailboxClient client) {
    super(client);
  }

  @Override
  Mailbox<String, String> streamed(
      String name, Codec<String> codec, Consumer<ServiceBuilder<?>> change) {
    HttpMailbox.Builder<String, String> builder =
        HttpMailbox.builder(client.target().server(), operator, name, codec, codec)
            .connections(CONNECTIONS)
            .streaming();
    change.accept(builder);
    return builder.build();
  }
}
