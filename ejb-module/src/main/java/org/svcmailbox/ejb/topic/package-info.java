/**
 * Topics in the database. Invariants: names are unique; ids are never reused; a deleted topic
 * leaves no rows.
 */
@NullMarked
package org.svcmailbox.ejb.topic;

import org.jspecify.annotations.NullMarked;
