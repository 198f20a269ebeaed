package org.svcmailbox.client.sqs;

import java.time.Duration;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.svcmailbox.client.Codec;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.testing.MailboxContract;

/**
 * The contract on ElasticMQ, one for each test, because a test moves its clock. Tests run side by
 * side, because polls wait for whole seconds.
 */
@Execution(ExecutionMode.CONCURRENT)
abstract class SqsContract extends MailboxContract {
  private final ElasticMq server = new ElasticMq();
  private final String suffix;

  /** Comes after the mailboxes are closed. */
  @RegisterExtension final AfterEachCallback afterwards = context -> server.close();

  /**
   * @param suffix of the queues' names
   */
  SqsContract(String suffix) {
    this.suffix = suffix;
  }

  @Override
  protected Mailbox<String, String> open(
      String name, Codec<String> codec, MailboxResolver resolver) {
    SqsMailbox.Builder<String, String> builder =
        SqsMailbox.builder(name + suffix, codec, codec)
            .client(client -> ElasticMq.at(server.uri(), client))
            .longestPoll(Duration.ofSeconds(1))
            .resolver(resolver);
    server.create(name + suffix);
    return builder.build();
  }

  @Override
  protected Mailbox<String, String> openBounded(String name, int capacity) {
    throw new UnsupportedOperationException("a queue of SQS has no capacity");
  }

  /** ElasticMQ takes them; SQS answers MessageNotInflight. */
  @Override
  protected boolean refusesLateExtensions() {
    return false;
  }

  @Override
  protected void passTime(Duration duration) {
    server.passTime(duration);
  }
}
