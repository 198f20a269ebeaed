package org.svcmailbox.examples.prices;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.svcmailbox.client.Mailbox;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.Message;
import org.svcmailbox.client.loop.MainLoopRequest;
import org.svcmailbox.client.loop.MainLoopResult;

/** Asks for the prices of some items, and waits for the answers. */
public final class Customer {
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration WAIT = Duration.ofSeconds(5);

  private final Map<String, String> unanswered = new HashMap<>();

  private Customer() {}

  /** Takes the customer's name, of a to z, and the items. Ends with 1 if an answer is missing. */
  public static void main(String[] args) {
    Prices prices = new Prices();
    Customer customer = new Customer();
    Instant deadline = Instant.now().plus(PATIENCE);
    try (var questions = prices.questions(MailboxResolver.of());
        var answers = prices.answers(args[0])) {
      for (int i = 1; i < args.length; i++) {
        // After the deadline the service answers with an error.
        var question = new MainLoopRequest<>(args[i]).withDeadline(deadline);
        customer.unanswered.put(question.requestId(), args[i]);
        questions.send(question, answers);
      }
      while (!customer.unanswered.isEmpty() && Instant.now().isBefore(deadline)) {
        customer.read(answers);
      }
    }
    System.exit(customer.unanswered.isEmpty() ? 0 : 1);
  }

  private <R> void read(Mailbox<MainLoopResult<Integer>, R> answers) {
    for (Message<MainLoopResult<Integer>, R> message : answers.receive(10, LEASE, WAIT)) {
      MainLoopResult<Integer> answer = message.body();
      String item = unanswered.remove(answer.requestId());
      // An answer to an earlier run, or one that came twice, is of no use any more.
      if (item != null) {
        System.out.println(
            item + ": " + (answer.error() == null ? answer.output() : answer.error()));
      }
      message.acknowledge();
    }
  }
}
