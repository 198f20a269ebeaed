package org.svcmailbox.worker.config;

/**
 * A text that no log shows.
 *
 * @param value the text
 */
public record Secret(String value) {
  @Override
  public String toString() {
    return "Secret[***]";
  }
}
