package org.svcmailbox.cli;

import java.io.FileDescriptor;
import java.io.FileOutputStream;

/** The main class. Its start script says which streams are terminals. */
public final class Main {
  private static final String TERMINALS = "svcmailbox.terminals";

  private Main() {}

  /** Runs one command, and ends the process with its exit code. */
  public static void main(String[] arguments) {
    String terminals = System.getProperty(TERMINALS, "");
    Surroundings surroundings =
        new Surroundings(
            System.in,
            new FileOutputStream(FileDescriptor.out),
            System.err,
            System.getenv(),
            terminals.contains("in"),
            terminals.contains("err"));
    Interrupts interrupts = new Interrupts();
    interrupts.endOnSignals(Thread.currentThread());
    System.exit(MailboxCli.run(surroundings, interrupts, arguments));
  }
}
