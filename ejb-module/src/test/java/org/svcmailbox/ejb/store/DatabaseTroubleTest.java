package org.svcmailbox.ejb.store;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.svcmailbox.core.problem.StartException;

class DatabaseTroubleTest {
  @ParameterizedTest
  @CsvSource({
    "08001, false, The database does not answer",
    "57P03, false, The database does not answer",
    "28P01, true,  The database refuses MAILBOX_DB_USER",
    "28000, true,  The database refuses MAILBOX_DB_USER",
    "3D000, true,  The database of MAILBOX_DB_URL does not exist",
    "42501, true,  MAILBOX_DB_USER may not create tables in the database",
    "3F000, true,  MAILBOX_DB_USER may not create tables in the database",
    "53300, false, The database cannot be used",
    ",      false, The database cannot be used"
  })
  void theStateSaysWhatToDo(@Nullable String state, boolean isFinal, String what) {
    // The pool's exception, around the one of the driver.
    SQLException failure =
        new SQLException(
            "IJ000453: no connection",
            new IllegalStateException("IJ031084", new SQLException("it\n  failed.", state)));
    StartException told = DatabaseTrouble.atStart(failure);
    String text = String.valueOf(told.getMessage());
    assertEquals(what + ": it failed.", text.substring(0, text.indexOf(". ") + 1));
    assertEquals(isFinal, told.isFinal());
  }

  @Test
  void aMigrationThatFailsWithoutADatabasesReasonIsTold() {
    String text =
        String.valueOf(
            DatabaseTrouble.atStart(new IllegalStateException("two\nlines")).getMessage());
    assertEquals("The database cannot be used: two lines.", text.substring(0, 39));
  }
}
