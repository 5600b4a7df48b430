/*
 * Who owns a message, the waiter, the phases of a typing and a crash between any two of them:
 * doc/CONTRACT.md sections 4, 5 and 11, for one mailbox with two messages and one terminal. `make
 * check-model` lets spin search all orders of what server, disk, agent, person, reader and crash do.
 *
 * The typist's table is not written here: table.awk makes it (typist.inc) of src/wake/typist.[ch]. What
 * is modelled by hand are bh_typist_see() and bh_typist_done(), the executor (src/server/deliver_type.c)
 * and the store's transactions (src/mail/custody.c).
 *
 * Time is left out: a limit may pass at any moment, so what is found safe here is safe at any speed.
 * The agent is one whose record of a turn can be read before it is idle again.
 *
 * Settings (-D): CAN_CLEAR, the profile has a tested clear key; CRASHES, PERSONS, READS, EXITS, FAULTS,
 * TURNS: how often, at most, the server dies, a person acts, a reader takes mail, the agent ends, the
 * disk fails, a turn or a dialog begins by itself.
 */
#include "typist.inc"

#ifndef CAN_CLEAR
#define CAN_CLEAR 1
#endif
#ifndef CRASHES
#define CRASHES 1
#endif
#ifndef PERSONS
#define PERSONS 1
#endif
#ifndef READS
#define READS 1
#endif
#ifndef EXITS
#define EXITS 1
#endif
#ifndef FAULTS
#define FAULTS 1
#endif
#ifndef TURNS
#define TURNS 1
#endif
#define RESENDS_MAX 2
#define TYPINGS_MAX 2

/* Who owns a message, on disk. */
#define UNREAD 0
#define TYPED_NOW 1
#define READ_NOW 2
#define SEEN 3
#define UNSENT 4
byte own[2] = UNSENT;
byte typings[2];

/* The attempt on disk, and its mail. */
#define P_NONE 0
#define P_CLAIMED 1
#define P_WRITING 2
#define P_ECHOED 3
#define P_CR_SENT 4
#define P_PROVED 5
#define P_UNCERTAIN 6
#define P_WITHDRAWN 7
byte phase = P_NONE;
byte set; /* a bit for each message, as below */

/* The server's memory: lost in a crash. */
byte ts = T_REST;
byte ev, mphase;
short act;
bool is_up = true, is_written, is_pasted, is_late;
byte resends;
bool held;
/* A commit that is on its way (a phase, or P_CLAIMED for the take), one of `echoed` that nobody waits
 * for, and the result that waits to be heard. */
byte pending = P_NONE;
bool pending_echoed;
#define R_NONE 0
#define R_OK 1
#define R_FAILED 2
#define R_NOTHING 3
byte result = R_NONE;

/* The terminal: state of the agent, what stands in its composer, what it has not read yet, what its
 * own queue holds, and its record. Texts are of the attempt that wrote them. */
#define IDLE 0
#define WORKING 1
#define DIALOG 2
byte agent = IDLE;
bool is_alive = true;
#define EMPTY 0
#define OURS 1
#define OTHER 2
byte composer = EMPTY;
byte text, waits, queued;
bool has_waiting, has_queued;
byte turns[2];
/* The record can be read: at the latest when the turn has ended. */
bool is_recorded;
/* What a reader holds. */
byte has;

byte crashes, persons, takes, exits, faults, own_turns;

#define ALL_SEEN (own[0] == SEEN && own[1] == SEEN)
#define IS_TEXT_OURS (composer == OURS && text == set)
#define IS_QUEUE_OURS (has_queued && queued == set)
#define MAY_SUBMIT (is_alive && IS_TEXT_OURS && agent == IDLE)
#define GATE (is_alive && agent == IDLE && composer == EMPTY && !has_waiting)
/* The record names our mail: every message of the attempt became a turn. */
#define RECORD (((set & 1) == 0 || turns[0] > 0) && ((set & 2) == 0 || turns[1] > 0) && set != 0 && is_recorded)
/* Readers have some of it, or hold some of it now. */
#define TAKEN (((set & 1) != 0 && own[0] == SEEN) || ((set & 2) != 0 && own[1] == SEEN))
#define HELD (((set & 1) != 0 && own[0] == READ_NOW) || ((set & 2) != 0 && own[1] == READ_NOW))
/* Mail that may be typed: unread, not typed too often, and nothing older stands before it. */
#define MAY_TYPE_0 (own[0] == UNREAD && typings[0] < TYPINGS_MAX)
#define MAY_TYPE_1 (own[1] == UNREAD && typings[1] < TYPINGS_MAX)
#define DUE (MAY_TYPE_0 || (own[0] == SEEN && MAY_TYPE_1))

/* ---- the terminal ---- */

/* A text of ours becomes a turn. */
inline turn_of(which)
{
	is_recorded = false;
	if
	:: (which & 1) != 0 -> turns[0]++; assert(turns[0] <= 1) /* 4: never doubled */
	:: else
	fi;
	if
	:: (which & 2) != 0 -> turns[1]++; assert(turns[1] <= 1);
		/* 3: in order */
		assert((which & 1) != 0 || own[0] == SEEN || turns[0] > 0)
	:: else
	fi
}

/* The agent reads the paste. */
inline text_arrives(from)
{
	if
	:: composer == EMPTY && agent != DIALOG -> composer = OURS; text = from
	:: composer == EMPTY && agent != DIALOG -> skip /* it swallows it */
	:: composer == OURS || composer == OTHER -> composer = OTHER; text = 0
	:: agent == DIALOG -> skip
	fi
}

/* ---- what the typist writes ---- */

inline write_paste()
{
	/* 2: the gate */
	assert(GATE && held && phase == P_WRITING);
	assert(((set & 1) == 0 || own[0] == TYPED_NOW) && ((set & 2) == 0 || own[1] == TYPED_NOW));
	/* 3: in order */
	assert((set & 1) != 0 || own[0] == SEEN);
	if
	:: text_arrives(set); is_pasted = true
	:: has_waiting = true; waits = set; is_pasted = true
	:: agent = DIALOG; is_pasted = true /* the paste opens one */
	:: ev = E_UNWRITTEN /* the terminal takes nothing */
	fi
}

inline write_cr()
{
	/* 2: the CR meets our text alone and no dialog */
	assert(MAY_SUBMIT && phase == P_CR_SENT);
	/* 1: what readers have is not submitted again, where it can be cleared */
	assert((!TAKEN || !CAN_CLEAR) && !HELD);
	if
	:: turn_of(text); composer = EMPTY; text = 0; agent = WORKING
	:: skip /* it is swallowed */
	:: composer = EMPTY; text = 0 /* and the text with it */
	:: !has_queued -> composer = EMPTY; queued = text; text = 0;
		has_queued = true; agent = WORKING
	:: ev = E_UNWRITTEN
	fi
}

inline write_clear()
{
	assert(composer != OTHER); /* never a person's text */
	if
	:: composer = EMPTY; text = 0
	:: skip
	fi
}

/* ---- the typist ---- */

inline commit(which)
{
	if
	:: mphase == which -> ev = E_DONE_OPEN /* it is on disk already */
	:: else -> pending = which
	fi
}

/* Give the typist the event ev; do what it says, in the order of the bits. */
inline step()
{
	do
	:: ev == E_NOTHING -> break
	:: else ->
		if
		:: ts == T_LOST && ev == E_OWN -> resends++
		:: else
		fi;
		table_row();
		ev = E_NOTHING;
		if
		:: (act & (BH_DO_WATCH | BH_DO_COMMIT_WITHDRAWN)) != 0 ->
			is_written = (act & BH_DO_WATCH) != 0
		:: else
		fi;
		if
		:: (act & BH_DO_TAKE) != 0 -> pending = P_CLAIMED
		:: else
		fi;
		if
		:: (act & BH_DO_HOLD) != 0 -> assert(!held); held = is_alive
		:: else
		fi;
		if
		:: (act & BH_DO_WRITE_PASTE) != 0 && is_alive -> write_paste()
		:: (act & BH_DO_WRITE_CR) != 0 && is_alive -> write_cr()
		:: (act & BH_DO_WRITE_CLEAR) != 0 && is_alive -> write_clear()
		:: else
		fi;
		if
		:: (act & BH_DO_RELEASE) != 0 -> held = false
		:: else
		fi;
		if
		:: ev != E_NOTHING
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_WRITING) != 0 -> commit(P_WRITING)
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_ECHOED) != 0 -> pending_echoed = true
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_CR_SENT) != 0 -> commit(P_CR_SENT)
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_PROVED) != 0 -> commit(P_PROVED)
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_UNCERTAIN) != 0 -> commit(P_UNCERTAIN)
		:: ev == E_NOTHING && (act & BH_DO_COMMIT_WITHDRAWN) != 0 -> commit(P_WITHDRAWN)
		:: else
		fi;
		/* 7: keys are held in the states that say so, and in no other */
		assert(!is_alive || held == HOLDS(ts));
		if
		:: ts == T_REST -> resends = 0; is_written = false; is_pasted = false;
			is_late = false; mphase = P_NONE
		:: else
		fi
	od;
	act = 0
}

/* bh_typist_done() */
inline hear()
{
	if
	:: result == R_FAILED -> ev = E_FAILED
	:: result == R_NOTHING -> ev = E_DONE_NONE
	:: result == R_OK && (ts == T_CLAIMING || ts == T_ARMING) ->
		ev = (GATE && !TAKEN && !HELD -> E_DONE_OPEN : E_DONE_SHUT)
	:: result == R_OK && ts == T_SENDING ->
		ev = (MAY_SUBMIT && !HELD && !(TAKEN && CAN_CLEAR) -> E_DONE_OPEN : E_DONE_SHUT)
	:: else -> ev = E_DONE_OPEN
	fi;
	result = R_NONE
}

/* The disk refused the doubt: it is stored before what hangs on it. */
#define UNDOUBTED (ts == T_LOST && is_written && mphase != P_UNCERTAIN)

/* station_look(), bh_typist_see(). A limit may have passed, or not. */
inline see()
{
	ev = E_NOTHING;
	if
	:: COMMITS(ts) ->
		if
		:: HOLDS(ts) -> ev = E_LATE
		:: else
		fi
	:: !COMMITS(ts) && !is_alive ->
		ev = (RECORD && (ts == T_PROVING || ts == T_IN_QUEUE || ts == T_LOST) ->
		      (UNDOUBTED && mphase != P_CR_SENT -> E_LATE : E_SUBMITTED) : E_EXITED)
	:: ts == T_ECHOING && is_alive ->
		if
		:: agent == DIALOG -> ev = E_DIALOG
		:: agent != DIALOG && IS_TEXT_OURS -> ev = E_ECHO
		:: agent != DIALOG && !IS_TEXT_OURS -> ev = E_LATE
		fi
	:: ts == T_SETTLING && is_alive ->
		if
		:: agent == DIALOG -> ev = E_DIALOG
		:: agent != DIALOG && !IS_TEXT_OURS -> ev = E_LATE
		:: agent == WORKING && IS_TEXT_OURS -> ev = (CAN_CLEAR -> E_BUSY_CLEARABLE : E_BUSY)
		:: agent == IDLE && IS_TEXT_OURS -> ev = E_QUIET
		fi
	:: ts == T_CLEARING && is_alive ->
		if
		:: agent == DIALOG -> ev = E_DIALOG
		:: agent != DIALOG && composer == EMPTY -> ev = E_EMPTY
		:: agent != DIALOG && composer != EMPTY -> ev = E_LATE
		fi
	:: (ts == T_PROVING || ts == T_IN_QUEUE || ts == T_LOST) && is_alive ->
		if
		:: !is_written -> ev = E_GONE
		:: is_written && RECORD ->
			ev = (UNDOUBTED && mphase != P_CR_SENT -> E_LATE : E_SUBMITTED)
		:: is_written && !RECORD && UNDOUBTED ->
			if
			:: ev = E_LATE
			:: !IS_QUEUE_OURS && !HELD && !MAY_SUBMIT && GATE -> ev = E_GONE
			fi
		:: is_written && !RECORD && !UNDOUBTED && IS_QUEUE_OURS ->
			ev = (ts == T_IN_QUEUE -> E_NOTHING : E_QUEUED)
		:: is_written && !RECORD && !IS_QUEUE_OURS && ts == T_PROVING -> ev = E_LATE
		:: is_written && !RECORD && !UNDOUBTED && !IS_QUEUE_OURS && ts != T_PROVING ->
			if
			:: HELD
			:: !HELD && MAY_SUBMIT && TAKEN && CAN_CLEAR -> ev = E_OWN_TAKEN
			:: !HELD && MAY_SUBMIT && !(TAKEN && CAN_CLEAR) ->
				ev = (ts == T_IN_QUEUE || resends < RESENDS_MAX -> E_OWN : E_NOTHING)
			:: !HELD && !MAY_SUBMIT && GATE -> ev = E_GONE
			:: else
			fi
		fi
	:: else
	fi
}

/* Whether see() sees anything: where no limit runs it may be nothing. */
#define NEWS (UNDOUBTED || (ts != T_LOST && ts != T_IN_QUEUE) || !is_alive || !is_written || RECORD || \
	(IS_QUEUE_OURS && ts == T_LOST) || \
	(!IS_QUEUE_OURS && !HELD && ((MAY_SUBMIT && ((TAKEN && CAN_CLEAR) || ts == T_IN_QUEUE || resends < RESENDS_MAX)) || GATE)))

active proctype server()
{
	do
	/* One turn of the loop: what is seen and what is written of it have nothing between them. */
	:: atomic {
		if
		/* Level-triggered: mail is due, the gate is open, nothing of ours is unresolved. */
		:: is_up && ts == T_REST && pending == P_NONE && result == R_NONE && GATE && DUE &&
			phase == P_NONE ->
			ev = E_START
		/* A commit has ended. */
		:: is_up && result != R_NONE -> hear()
		:: is_up && ts != T_REST && result == R_NONE && (!COMMITS(ts) || HOLDS(ts)) && NEWS ->
			see()
		/* A crash has left an attempt: it is taken up. */
		:: is_up && ts == T_REST && phase > P_CLAIMED && pending == P_NONE &&
			result == R_NONE && is_alive ->
			mphase = phase;
			is_late = true;
			ev = (phase == P_WRITING -> E_RECOVER_WRITING :
			      (phase == P_UNCERTAIN -> E_RECOVER_LOST : E_RECOVER_LATER))
		fi;
		step()
	   }
	/* The terminal went while nobody looked: the store's attempt is settled. */
	:: atomic {
		is_up && ts == T_REST && phase != P_NONE && pending == P_NONE &&
			result == R_NONE && !is_alive ->
		mphase = phase;
		pending = P_WITHDRAWN
	   }
	/* The end: all is seen, or what is not waits for somebody who looks. */
	:: timeout ->
		assert(!held);
		assert(is_up);
		/* 11: nothing is lost; 10: it arrives, if nothing keeps it */
		assert(own[0] == SEEN || own[0] == UNREAD);
		assert(own[1] == SEEN || own[1] == UNREAD);
		assert(ALL_SEEN || !is_alive || !GATE || ts == T_LOST ||
		       (own[0] == UNREAD && typings[0] == TYPINGS_MAX) ||
		       (own[0] == SEEN && typings[1] == TYPINGS_MAX));
		break
	od
}

/* ---- the disk: one transaction after the other ---- */

inline let_go()
{
	own[0] = (own[0] == TYPED_NOW -> UNREAD : own[0]);
	own[1] = (own[1] == TYPED_NOW -> UNREAD : own[1])
}

inline transaction_take()
{
	if
	:: phase != P_NONE -> result = R_FAILED
	/* Nothing overtakes mail that a reader holds, or that was typed too often. */
	:: phase == P_NONE && !DUE -> result = R_NOTHING
	:: phase == P_NONE && DUE ->
		set = (MAY_TYPE_0 -> 1 : 0) | (MAY_TYPE_1 && (own[0] == SEEN || MAY_TYPE_0) -> 2 : 0);
		own[0] = ((set & 1) != 0 -> TYPED_NOW : own[0]);
		own[1] = ((set & 2) != 0 -> TYPED_NOW : own[1]);
		phase = P_CLAIMED;
		mphase = P_CLAIMED;
		result = R_OK
	fi
}

inline transaction_advance()
{
	/* bh_phase_may_follow(): what the store refuses for ever would be asked for again for ever */
	assert(pending != P_PROVED || phase == P_CR_SENT || phase == P_UNCERTAIN);
	if
	:: pending == P_WRITING -> phase = P_WRITING;
		typings[0] = typings[0] + ((set & 1) != 0 -> 1 : 0);
		typings[1] = typings[1] + ((set & 2) != 0 -> 1 : 0)
	:: pending == P_CR_SENT -> /* only a CR was missing: what nobody took is held again */
		own[0] = ((set & 1) != 0 && own[0] == UNREAD -> TYPED_NOW : own[0]);
		own[1] = ((set & 2) != 0 && own[1] == UNREAD -> TYPED_NOW : own[1]);
		phase = P_CR_SENT
	:: pending == P_PROVED ->
		own[0] = ((set & 1) != 0 -> SEEN : own[0]);
		own[1] = ((set & 2) != 0 -> SEEN : own[1]);
		phase = P_NONE
	:: pending == P_UNCERTAIN -> let_go(); phase = P_UNCERTAIN
	:: pending == P_WITHDRAWN ->
		/* 5: a refusal costs nothing */
		typings[0] = typings[0] -
			(phase == P_WRITING && !is_pasted && !is_late && (set & 1) != 0 -> 1 : 0);
		typings[1] = typings[1] -
			(phase == P_WRITING && !is_pasted && !is_late && (set & 2) != 0 -> 1 : 0);
		let_go();
		phase = P_NONE
	fi;
	mphase = pending;
	result = R_OK
}

active proctype disk()
{
end:
	do
	:: atomic {
		is_up && pending_echoed ->
		pending_echoed = false;
		if
		:: phase == P_WRITING -> phase = P_ECHOED; mphase = P_ECHOED
		:: else
		fi
	   }
	:: atomic {
		is_up && pending != P_NONE && !pending_echoed && result == R_NONE ->
		if
		:: pending == P_CLAIMED -> transaction_take()
		:: pending != P_CLAIMED -> transaction_advance()
		:: faults < FAULTS -> faults++; result = R_FAILED
		fi;
		pending = P_NONE;
		if
		:: ts == T_REST -> result = R_NONE /* settled without the typist */
		:: else
		fi
	   }
	od
}

/* ---- the sender ---- */

active proctype sender()
{
	atomic { is_up -> own[0] = UNREAD };
	atomic { is_up -> own[1] = UNREAD }
}

/* ---- readers: a waiter or the inbox. They may take what is unread, and die. ---- */

active proctype reader()
{
end:
	do
	:: atomic { /* all, or one */
		is_up && takes < READS && has == 0 && (own[0] == UNREAD || own[1] == UNREAD) ->
		takes++;
		if
		:: has = (own[0] == UNREAD -> 1 : 0) | (own[1] == UNREAD -> 2 : 0)
		:: has = (own[0] == UNREAD -> 1 : 2)
		fi;
		own[0] = ((has & 1) != 0 -> READ_NOW : own[0]);
		own[1] = ((has & 2) != 0 -> READ_NOW : own[1])
	   }
	:: atomic { /* it acknowledges one by number, whoever holds it */
		is_up && takes < READS && (own[0] == TYPED_NOW || own[0] == UNREAD) ->
		takes++;
		own[0] = SEEN
	   }
	:: atomic { /* it confirms; a claim that a crash or a proof ended is nobody's any more */
		is_up && has != 0 ->
		own[0] = ((has & 1) != 0 && own[0] == READ_NOW -> SEEN : own[0]);
		own[1] = ((has & 2) != 0 && own[1] == READ_NOW -> SEEN : own[1]);
		has = 0
	   }
	:: atomic { /* it dies, or its lease ends */
		is_up && has != 0 ->
		own[0] = ((has & 1) != 0 && own[0] == READ_NOW -> UNREAD : own[0]);
		own[1] = ((has & 2) != 0 && own[1] == READ_NOW -> UNREAD : own[1]);
		has = 0
	   }
	od
}

/* ---- the agent ---- */

active proctype program()
{
end:
	do
	/* A turn ends; a person answers a dialog. */
	:: atomic { is_alive && agent != IDLE -> agent = IDLE; is_recorded = true }
	:: atomic { !is_recorded -> is_recorded = true }
	/* A turn, or a dialog, begins by itself. */
	:: atomic { is_alive && own_turns < TURNS && agent == IDLE -> own_turns++; agent = WORKING }
	:: atomic { is_alive && own_turns < TURNS && agent != DIALOG -> own_turns++; agent = DIALOG }
	/* It reads what it had not read. */
	:: atomic {
		is_alive && has_waiting ->
		text_arrives(waits);
		has_waiting = false;
		waits = 0
	   }
	/* Its queue: a turn of its own, or an interrupt gives the text back. */
	:: atomic {
		is_alive && has_queued ->
		turn_of(queued);
		has_queued = false;
		queued = 0;
		agent = WORKING
	   }
	:: atomic {
		is_alive && has_queued && composer == EMPTY ->
		composer = OURS;
		text = queued;
		has_queued = false;
		queued = 0;
		agent = IDLE
	   }
	/* It ends. */
	:: atomic {
		is_alive && exits < EXITS ->
		exits++;
		is_alive = false;
		held = false;
		composer = EMPTY;
		text = 0;
		has_waiting = false;
		waits = 0;
		has_queued = false;
		queued = 0
	   }
	od
}

/* ---- a person at the terminal: while keys are held theirs wait ---- */

active proctype person()
{
end:
	do
	:: atomic {
		is_alive && !held && persons < PERSONS && agent != DIALOG ->
		persons++;
		if
		:: composer = OTHER; text = 0 /* types */
		:: composer != EMPTY -> composer = EMPTY; text = 0 /* clears */
		:: composer == OURS -> /* sends our text */
			turn_of(text);
			composer = EMPTY;
			text = 0;
			agent = WORKING
		fi
	   }
	/* A draft does not stand for ever. */
	:: atomic { is_alive && !held && composer == OTHER -> composer = EMPTY }
	od
}

/* ---- SIGKILL of the server, at any point; it is started again ---- */

active proctype crash()
{
end:
	do
	:: atomic {
		crashes < CRASHES ->
		crashes++;
		is_up = false;
		ts = T_REST;
		ev = E_NOTHING;
		act = 0;
		mphase = P_NONE;
		pending = P_NONE;
		pending_echoed = false;
		result = R_NONE;
		resends = 0;
		is_written = false;
		is_pasted = false;
		is_late = false;
		held = false;
		has = 0
	   }
	:: atomic {
		!is_up ->
		/* What readers held, and an attempt that wrote nothing, is unread again. */
		own[0] = (own[0] == READ_NOW -> UNREAD : own[0]);
		own[1] = (own[1] == READ_NOW -> UNREAD : own[1]);
		if
		:: phase == P_CLAIMED -> let_go(); phase = P_NONE
		:: else
		fi;
		is_up = true
	   }
	od
}
