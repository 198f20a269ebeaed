/**
 * The topics in the database. Invariants: a name is one topic; an id is never used again; a deleted
 * topic leaves no rows.
 */
@NullMarked
package org.svcmailbox.ejb.topic;

import org.jspecify.annotations.NullMarked;
