package org.svcmailbox.core.route;

/**
 * Asks a node for the figures that changed.
 *
 * @param life of the counts that the asking node has; 0 for none
 * @param since the version of these counts
 */
public record CountsQuestion(long life, long since) {
  /** Asks for all figures. */
  public static final CountsQuestion ALL = new CountsQuestion(0, 0);
}
