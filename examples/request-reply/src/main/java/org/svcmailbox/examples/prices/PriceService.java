package org.svcmailbox.examples.prices;

import java.util.regex.Pattern;
import org.svcmailbox.client.MailboxResolver;
import org.svcmailbox.client.loop.MainLoop;

/** Answers questions for prices until it is ended. */
public final class PriceService {
  /** A question names the mailbox for its answer; one of any other name is not answered. */
  private static final Pattern CUSTOMERS = Pattern.compile("example-prices-[a-z]+");

  private PriceService() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    Prices prices = new Prices();
    MailboxResolver answers = MailboxResolver.builder().factory(CUSTOMERS, prices).build();
    MainLoop<?, ?> loop =
        MainLoop.serving(prices.questions(answers), question -> 10 * question.request().length())
            .start();
    Runtime.getRuntime().addShutdownHook(new Thread(loop::close));
    System.out.println("waiting for questions");
  }
}
