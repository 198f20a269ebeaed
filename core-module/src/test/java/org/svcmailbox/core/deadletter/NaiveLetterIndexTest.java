package org.svcmailbox.core.deadletter;

class NaiveLetterIndexTest implements LetterIndexContract {
  private final LetterIndex index = new NaiveLetterIndex();

  @Override
  public LetterIndex index() {
    return index;
  }
}
