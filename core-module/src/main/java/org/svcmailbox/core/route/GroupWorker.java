package org.svcmailbox.core.route;

import java.util.Set;
import org.svcmailbox.core.capability.Caller;

/** Carries out tasks for groups of this process. */
public interface GroupWorker {
  /**
   * Carries out a task for those of the groups that are here. It blocks.
   *
   * @throws org.svcmailbox.core.capability.DeniedException without the right
   * @throws org.svcmailbox.core.problem.UnavailableException if a worker, the broker or the
   *     database does not answer; a change may be half done
   */
  GroupResult carryOut(Caller caller, Set<Integer> groups, GroupTask task);
}
