package org.svcmailbox.bench.compare;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.svcmailbox.bench.contestant.ArtemisContestant;
import org.svcmailbox.bench.contestant.Contestant;
import org.svcmailbox.bench.contestant.ElasticMqContestant;
import org.svcmailbox.bench.contestant.MailboxContestant;
import org.svcmailbox.bench.contestant.MailboxContestant.Build;
import org.svcmailbox.bench.contestant.MailboxContestant.Form;
import org.svcmailbox.bench.contestant.PostgresContestant;
import org.svcmailbox.bench.contestant.ServletContestant;
import org.svcmailbox.bench.contestant.neighbour.BeanstalkdContestant;
import org.svcmailbox.bench.contestant.neighbour.NatsContestant;
import org.svcmailbox.bench.contestant.neighbour.RabbitMqContestant;
import org.svcmailbox.bench.contestant.neighbour.RedisContestant;
import org.svcmailbox.bench.machine.Progress;
import org.svcmailbox.bench.options.Options;

/** Creates contestants by their names on the command line. */
final class Contestants {
  private Contestants() {}

  /** The selected contestants that are installed, not started. */
  static List<Contestant> of(Options options) {
    return options.selection().contestants().stream()
        .map(name -> contestant(name, options))
        .filter(Contestants::isInstalled)
        .toList();
  }

  private static boolean isInstalled(Contestant contestant) {
    Optional<String> missing = contestant.missing();
    missing.ifPresent(
        install -> Progress.say(contestant.title() + " is not installed: " + install));
    return missing.isEmpty();
  }

  private static Contestant contestant(String name, Options options) {
    return switch (name) {
      case "mailbox" -> mailbox(Form.JSON, options);
      case "mailbox-liberty" ->
          new MailboxContestant(Form.LIBERTY, options.liberty(), options.work());
      case "mailbox-before" -> before(Form.JSON, options);
      case "mailbox-postgresql" -> mailbox(Form.POSTGRESQL, options);
      case "mailbox-postgresql-before" -> before(Form.POSTGRESQL, options);
      case "mailbox-external" -> mailbox(Form.EXTERNAL, options);
      case "mailbox-octet" -> mailbox(Form.OCTET, options);
      case "elasticmq-memory" -> new ElasticMqContestant(false, options.work());
      case "elasticmq-file" -> new ElasticMqContestant(true, options.work());
      case "artemis" -> new ArtemisContestant();
      case "rabbitmq" -> new RabbitMqContestant();
      case "nats" -> new NatsContestant();
      case "redis" -> new RedisContestant();
      case "beanstalkd" -> new BeanstalkdContestant();
      case "postgresql" -> new PostgresContestant();
      case "servlet" -> new ServletContestant(options.work());
      default -> throw new IllegalArgumentException("--contestants has an unknown name: " + name);
    };
  }

  private static Contestant mailbox(Form form, Options options) {
    return new MailboxContestant(form, options.home(), options.work());
  }

  private static Contestant before(Form form, Options options) {
    Path home =
        options
            .before()
            .orElseThrow(() -> new IllegalArgumentException("the build before needs --before"));
    return new MailboxContestant(form, Build.BEFORE, home, options.work());
  }

  /** The data directory of a contestant. */
  static Path data(Options options, Contestant contestant) {
    return options.work().resolve("data").resolve(contestant.name());
  }
}
