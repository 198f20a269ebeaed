package org.svcmailbox.bench.contestant.neighbour;

import java.io.IOException;
import java.nio.file.Path;

/** A tube of beanstalkd, which syncs its log in each command that changes it. */
public final class BeanstalkdContestant extends NeighbourContestant {
  private static final int DRAINED = 100;

  public BeanstalkdContestant() {
    super("beanstalkd", "beanstalkd");
  }

  @Override
  public String name() {
    return "beanstalkd";
  }

  @Override
  public String title() {
    return "beanstalkd";
  }

  @Override
  public String durability() {
    return "fsync before the answer";
  }

  @Override
  ProcessBuilder process(Path directory, int port) {
    return new ProcessBuilder(
        program(), "-l", HOST, "-p", Integer.toString(port), "-b", directory.toString(), "-f", "0");
  }

  /** A tube exists as long as it is used. */
  @Override
  public void create(String queue) {}

  /** There is no command that empties a tube. */
  @Override
  public void delete(String queue) throws IOException {
    try (BeanstalkdClient client = client(queue)) {
      int received;
      do {
        received = client.receive(DRAINED);
      } while (received > 0);
    }
  }

  @Override
  BeanstalkdClient client(String queue) throws IOException {
    return new BeanstalkdClient(HOST, port(), queue);
  }
}
